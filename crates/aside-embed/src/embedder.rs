//! The trait of all models that make vectors.

use crate::EmbedError;

/// A model that makes vectors. Its calls block: they belong on a thread of their own, never on an async runtime.
pub trait Embedder: Send + Sync {
    /// Tells models apart whose vectors don't mix.
    fn id(&self) -> &str;

    /// Texts that are best given to it at once.
    fn batch(&self) -> usize;

    /// Returns a vector for each text, in their order, all of one length. Of a text that is too long the beginning counts.
    ///
    /// # Errors
    ///
    /// If the model is gone, slow or refuses, or if its answer does not fit the texts.
    fn passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Returns the vector of a search: near those of the passages that answer it.
    ///
    /// # Errors
    ///
    /// As for [`Embedder::passages`].
    fn query(&self, text: &str) -> Result<Vec<f32>, EmbedError>;
}

/// Returns vectors of length 1 if there is one for each of some texts, all of one length and of finite numbers.
///
/// # Errors
///
/// If an answer has another count, another length, or numbers that are none.
pub fn checked(vectors: Vec<Vec<f32>>, texts: usize, dimensions: Option<usize>) -> Result<Vec<Vec<f32>>, EmbedError> {
    if vectors.len() != texts {
        return Err(EmbedError::Answer(format!("{} vectors for {texts} texts", vectors.len())));
    }
    let expected = dimensions.or_else(|| vectors.first().map(Vec::len)).unwrap_or_default();
    vectors.into_iter().map(|vector| normal(vector, expected)).collect()
}

fn normal(mut vector: Vec<f32>, expected: usize) -> Result<Vec<f32>, EmbedError> {
    if vector.len() != expected || expected == 0 {
        return Err(EmbedError::Answer(format!("a vector of {} numbers in place of {expected}", vector.len())));
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if !length.is_finite() || length == 0.0 {
        return Err(EmbedError::Answer("a vector without a direction".to_owned()));
    }
    vector.iter_mut().for_each(|number| *number /= length);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_do_not_fit_are_errors() {
        assert_eq!(checked(vec![vec![3.0, 4.0]], 1, None).unwrap(), [[0.6, 0.8]]);
        let said = |vectors: Vec<Vec<f32>>, dimensions| checked(vectors, 2, dimensions).unwrap_err().to_string();
        assert!(said(vec![vec![1.0]], None).contains("1 vectors for 2 texts"));
        assert!(said(vec![vec![1.0], vec![1.0, 2.0]], None).contains("2 numbers in place of 1"));
        assert!(said(vec![vec![1.0], vec![1.0]], Some(3)).contains("1 numbers in place of 3"));
        assert!(said(vec![vec![1.0], vec![f32::NAN]], None).contains("direction"));
        assert!(said(vec![vec![], vec![]], None).contains("0 numbers"));
    }
}
