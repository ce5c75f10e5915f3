//! A tiny model for tests, with numbers that a formula gives.

/// Its words.
pub const VOCABULARY: &str =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\nete\ncafe\n##s\n数\n字\ntide\ntid\n##al\n,\n❤\n\u{1112}\n##\u{1161}\n##\u{11ab}\nab\n";
/// Its sizes.
pub const CONFIG: &str = r#"{"hidden_size":4,"num_hidden_layers":2,"num_attention_heads":2,"intermediate_size":8,
    "max_position_embeddings":24,"vocab_size":18,"hidden_act":"gelu"}"#;

/// The tensors of a tiny model in the order in which they are made.
fn shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes: Vec<(String, Vec<usize>)> = [("word", 18), ("position", 24), ("token_type", 2)]
        .map(|(name, rows)| (format!("embeddings.{name}_embeddings.weight"), vec![rows, 4]))
        .into();
    let mut pair = |name: String, weight: Vec<usize>| {
        shapes.push((format!("{name}.weight"), weight.clone()));
        shapes.push((format!("{name}.bias"), vec![weight[0]]));
    };
    pair("embeddings.LayerNorm".to_owned(), vec![4]);
    for layer in 0..2 {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        for part in ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"] {
            pair(name(part), vec![4, 4]);
        }
        pair(name("intermediate.dense"), vec![8, 4]);
        pair(name("output.dense"), vec![4, 8]);
        pair(name("attention.output.LayerNorm"), vec![4]);
        pair(name("output.LayerNorm"), vec![4]);
    }
    shapes
}

/// A file of tensors: number `i` of tensor `k` is half the sine of `1.3 k + 0.7 i`.
pub fn weights() -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (tensor, (name, shape)) in shapes().into_iter().enumerate() {
        let start = data.len();
        for number in 0..shape.iter().product() {
            let sine = (1.3 * tensor as f64 + 0.7 * number as f64).sin() as f32;
            data.extend((sine * 0.5).to_le_bytes());
        }
        let place = serde_json::json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
        header.insert(name, place);
    }
    let header = serde_json::Value::Object(header).to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}
