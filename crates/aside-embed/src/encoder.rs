//! The layers of BERT, over all tokens of some texts in one matrix without padding.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayViewMut1, Axis, Zip, linalg::general_mat_mul, s};

use crate::tensors::Tensors;

/// Added to variances (of BERT's configuration).
const EPSILON: f32 = 1e-12;

/// Sizes of a model.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Pieces of the vocabulary.
    pub vocabulary: usize,
    /// Tokens that have a place.
    pub positions: usize,
    /// Numbers of a token.
    pub hidden: usize,
    /// Layers.
    pub layers: usize,
    /// Heads of attention.
    pub heads: usize,
    /// Numbers of a token between the two halves of a layer.
    pub intermediate: usize,
    /// Kinds of texts.
    pub types: usize,
}

/// `y = x W^T + b`.
#[derive(Debug)]
struct Dense {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Debug)]
struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
}

#[derive(Debug)]
struct Layer {
    query: Dense,
    key: Dense,
    value: Dense,
    output: Dense,
    after_attention: Norm,
    wide: Dense,
    narrow: Dense,
    after: Norm,
}

/// All weights.
#[derive(Debug)]
pub struct Encoder {
    heads: usize,
    words: Array2<f32>,
    positions: Array2<f32>,
    kind: Array1<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

impl Encoder {
    /// Takes the weights out of a file.
    pub fn new(tensors: &Tensors, sizes: Sizes) -> Result<Self, String> {
        let Sizes { vocabulary, positions, hidden, layers, types, heads, .. } = sizes;
        let kinds = table(tensors, "embeddings.token_type_embeddings.weight", types, hidden)?;
        Ok(Self {
            heads,
            words: table(tensors, "embeddings.word_embeddings.weight", vocabulary, hidden)?,
            positions: table(tensors, "embeddings.position_embeddings.weight", positions, hidden)?,
            kind: kinds.row(0).to_owned(),
            norm: norm(tensors, "embeddings.LayerNorm", hidden)?,
            layers: (0..layers).map(|number| layer(tensors, number, &sizes)).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the last layer's numbers of all tokens of some texts, a token a row, and the rows of each text.
    pub fn encode(&self, texts: &[Vec<u32>]) -> (Array2<f32>, Vec<Range<usize>>) {
        let count = texts.iter().map(Vec::len).sum();
        let mut tokens = Array2::zeros((count, self.kind.len()));
        let mut ranges = Vec::new();
        let mut start = 0;
        for text in texts {
            for (position, token) in text.iter().enumerate() {
                let mut row = tokens.row_mut(start + position);
                row += &self.words.row(*token as usize);
                row += &self.positions.row(position);
                row += &self.kind;
            }
            ranges.push(start..start + text.len());
            start += text.len();
        }
        self.norm.apply(&mut tokens);
        let tokens = self.layers.iter().fold(tokens, |tokens, layer| layer.apply(&tokens, &ranges, self.heads));
        (tokens, ranges)
    }
}

fn layer(tensors: &Tensors, number: usize, sizes: &Sizes) -> Result<Layer, String> {
    let Sizes { hidden, intermediate, .. } = *sizes;
    let name = |part: &str| format!("encoder.layer.{number}.{part}");
    Ok(Layer {
        query: dense(tensors, &name("attention.self.query"), hidden, hidden)?,
        key: dense(tensors, &name("attention.self.key"), hidden, hidden)?,
        value: dense(tensors, &name("attention.self.value"), hidden, hidden)?,
        output: dense(tensors, &name("attention.output.dense"), hidden, hidden)?,
        after_attention: norm(tensors, &name("attention.output.LayerNorm"), hidden)?,
        wide: dense(tensors, &name("intermediate.dense"), intermediate, hidden)?,
        narrow: dense(tensors, &name("output.dense"), hidden, intermediate)?,
        after: norm(tensors, &name("output.LayerNorm"), hidden)?,
    })
}

fn table(tensors: &Tensors, name: &str, rows: usize, columns: usize) -> Result<Array2<f32>, String> {
    let numbers = tensors.numbers(name, &[rows, columns])?;
    Array2::from_shape_vec((rows, columns), numbers).map_err(|error| error.to_string())
}

fn dense(tensors: &Tensors, name: &str, output: usize, input: usize) -> Result<Dense, String> {
    let bias = tensors.numbers(&format!("{name}.bias"), &[output])?;
    Ok(Dense { weight: table(tensors, &format!("{name}.weight"), output, input)?, bias: bias.into() })
}

fn norm(tensors: &Tensors, name: &str, hidden: usize) -> Result<Norm, String> {
    let weight = tensors.numbers(&format!("{name}.weight"), &[hidden])?;
    Ok(Norm { weight: weight.into(), bias: tensors.numbers(&format!("{name}.bias"), &[hidden])?.into() })
}

impl Dense {
    fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        let mut result = Array2::zeros((rows.nrows(), self.bias.len()));
        general_mat_mul(1.0, rows, &self.weight.t(), 0.0, &mut result);
        result += &self.bias;
        result
    }
}

impl Norm {
    fn apply(&self, rows: &mut Array2<f32>) {
        for mut row in rows.rows_mut() {
            #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
            let count = row.len() as f32;
            let mean = row.sum() / count;
            let variance = row.fold(0.0, |sum, number| sum + (number - mean).powi(2)) / count;
            let scale = 1.0 / (variance + EPSILON).sqrt();
            Zip::from(&mut row).and(&self.weight).and(&self.bias).for_each(|number, weight, bias| {
                *number = (*number - mean) * scale * weight + bias;
            });
        }
    }
}

impl Layer {
    fn apply(&self, tokens: &Array2<f32>, ranges: &[Range<usize>], heads: usize) -> Array2<f32> {
        let seen = self.attend(tokens, ranges, heads);
        let mut middle = self.output.apply(&seen) + tokens;
        self.after_attention.apply(&mut middle);
        let mut wide = self.wide.apply(&middle);
        wide.mapv_inplace(gelu);
        let mut last = self.narrow.apply(&wide) + middle;
        self.after.apply(&mut last);
        last
    }

    /// Each head over each text: `softmax(Q K^T / sqrt(size)) V`.
    fn attend(&self, tokens: &Array2<f32>, ranges: &[Range<usize>], heads: usize) -> Array2<f32> {
        let (query, key, value) = (self.query.apply(tokens), self.key.apply(tokens), self.value.apply(tokens));
        let mut seen = Array2::zeros(tokens.raw_dim());
        let size = tokens.ncols() / heads;
        #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
        let scale = 1.0 / (size as f32).sqrt();
        for range in ranges {
            for head in 0..heads {
                let part = s![range.clone(), head * size..(head + 1) * size];
                let mut scores = Array2::zeros((range.len(), range.len()));
                general_mat_mul(scale, &query.slice(part), &key.slice(part).t(), 0.0, &mut scores);
                scores.map_axis_mut(Axis(1), softmax);
                general_mat_mul(1.0, &scores, &value.slice(part), 0.0, &mut seen.slice_mut(part));
            }
        }
        seen
    }
}

fn softmax(mut row: ArrayViewMut1<'_, f32>) {
    let most = row.fold(f32::NEG_INFINITY, |most, number| most.max(*number));
    row.mapv_inplace(|number| exponential(number - most));
    let sum = row.sum();
    row /= sum;
}

/// `x * P(X <= x)` of the normal distribution, to 2e-7: the complement of the error function by Abramowitz and Stegun, Handbook of Mathematical
/// Functions, 7.1.26. Without branches and calls, so that compilers make vector instructions of it.
fn gelu(x: f32) -> f32 {
    let size = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let sum = t * (0.254_829_6 + t * (-0.284_496_74 + t * (1.421_413_7 + t * (-1.453_152 + t * 1.061_405_4))));
    let beyond = sum * exponential(-size * size);
    0.5 * x * if x < 0.0 { beyond } else { 2.0 - beyond }
}

/// `e^x` for what is not above 88, to 2e-7 of its size: a power of two, and the rest by its series.
fn exponential(x: f32) -> f32 {
    /// Numbers of this size have no digits behind the point: to add and subtract it rounds.
    const ROUND: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let power = (x * std::f32::consts::LOG2_E + ROUND) - ROUND;
    // ln 2 in two parts, the first with few digits, so that the product is exact.
    let rest = (x - power * 0.693_359_4) + power * 2.121_944_4e-4;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest * (0.166_666_67 + rest * (0.041_666_67 + rest * (8.333_334e-3 + rest * 1.388_889e-3)))));
    #[expect(clippy::cast_possible_truncation, reason = "whole, from -126 to 127")]
    let exponent = power as i32 + 127;
    series * f32::from_bits(exponent.cast_unsigned() << 23)
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn gelu_is_the_exact_one() {
        for (x, expected) in
            [(0.0, 0.0), (1.0, 0.841_344_7), (-1.0, -0.158_655_25), (3.0, 2.995_950_3), (-5.0, -1.433e-6)]
        {
            assert!((gelu(x) - expected).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn exponential_keeps_seven_digits() {
        for step in -870..=100 {
            let x = step as f32 / 10.0;
            assert!((exponential(x) / x.exp() - 1.0).abs() < 1e-6, "{x}");
        }
        assert!(exponential(-1000.0) < 1e-37);
    }

    #[test]
    fn dense_layer_is_product_and_bias() {
        let dense = Dense { weight: array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], bias: array![0.5, -0.5] };
        assert_eq!(dense.apply(&array![[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]), array![[4.5, 9.5], [2.5, 4.5]]);
    }
}
