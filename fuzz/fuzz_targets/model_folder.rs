//! Any bytes are the files of a model of meaning or none: a folder that holds them opens or says its fault.
#![cfg_attr(fuzzing, no_main)]

use aside_embed::LocalModel;
use aside_fuzz::fuzz_target;

const CONFIG: &[u8] = br#"{"hidden_size":1,"num_hidden_layers":1,"num_attention_heads":1,"intermediate_size":1,
    "max_position_embeddings":4,"vocab_size":4,"type_vocab_size":1}"#;

fuzz_target!(|bytes: &[u8]| {
    // The first byte says how many of the rest are the vocabulary.
    let Some((length, rest)) = bytes.split_first() else { return };
    let (vocabulary, weights) = rest.split_at(usize::from(*length).min(rest.len()));
    if let Ok(model) = LocalModel::of_bytes("fuzz", CONFIG, vocabulary, weights.to_vec()) {
        let vectors = model.embed(&["a text of words", "数 é"]);
        assert!(vectors.iter().all(|vector| vector.len() == 1));
    }
    let _ = LocalModel::of_bytes("fuzz", rest, vocabulary, weights.to_vec());
});
