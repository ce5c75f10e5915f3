//! PDFs read by a process of its own: this test program, started again.

use std::time::Duration;

use aside_pdf::{PdfError, PdfLimits, enter_if_reader, pages};

#[ctor::ctor(unsafe)]
fn enter() {
    enter_if_reader();
}

/// A PDF with a page for each text.
fn pdf(texts: &[&str]) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Count {} /Kids [{}] >>",
            texts.len(),
            (0..texts.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect::<Vec<_>>().join(" ")
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (page, text) in texts.iter().enumerate() {
        let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>",
            5 + 2 * page
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let (mut file, mut places) = (b"%PDF-1.4\n".to_vec(), Vec::new());
    for (number, object) in (1..).zip(&objects) {
        places.push(file.len());
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).bytes());
    file.extend(places.iter().flat_map(|place| format!("{place:010} 00000 n \n").into_bytes()));
    file.extend(format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", places.len() + 1).bytes());
    file
}

fn read(bytes: &[u8], limits: PdfLimits) -> Result<Vec<String>, PdfError> {
    pages(bytes.to_vec(), limits)
}

#[test]
fn pages_have_their_texts() {
    let found = read(&pdf(&["Spring tide", "", "Neap tide"]), PdfLimits::default()).unwrap();
    assert_eq!(found, ["Spring tide", "", "Neap tide"]);
}

#[test]
fn torn_files_are_refused() {
    let whole = pdf(&["Spring tide"]);
    for bytes in [&b""[..], b"tide", &whole[..whole.len() / 2], &[0xff; 3000]] {
        let found = read(bytes, PdfLimits::default());
        assert!(matches!(found, Err(PdfError::Unreadable(_))), "{found:?}");
    }
}

#[test]
fn limits_end_a_file() {
    let pdf = pdf(&["Spring tide"; 400]);
    let small = PdfLimits { memory: 1 << 20, ..PdfLimits::default() };
    assert!(matches!(read(&pdf, small), Err(PdfError::TooMuch)));
    let hasty = PdfLimits { time: Duration::ZERO, ..PdfLimits::default() };
    assert!(matches!(read(&pdf, hasty), Err(PdfError::TooMuch)));
    let short = PdfLimits { text: 60, ..PdfLimits::default() };
    let found = read(&pdf, short).unwrap();
    assert!(found.len() < 6 && found[0] == "Spring tide", "{found:?}");
}
