//! PDFs are read by this test program, started again.

use crate::common::IndexScene;

#[ctor::ctor(unsafe)]
fn enter() {
    aside_index::enter_if_pdf_reader();
}

/// A PDF of one page.
fn pdf(text: &str) -> Vec<u8> {
    let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Count 1 /Kids [4 0 R] >>".to_owned(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
    ];
    let (mut file, mut table) = ("%PDF-1.4\n".to_owned(), "0000000000 65535 f \n".to_owned());
    for (number, object) in (1..).zip(&objects) {
        table += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    let at = file.len();
    file += &format!("xref\n0 6\n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{at}\n%%EOF\n");
    file.into_bytes()
}

#[test]
fn text_of_pdfs_is_found_by_page() {
    let scene = IndexScene::with(&[("tides.pdf", &pdf("Harmonic analysis")), ("torn.pdf", b"%PDF-1.4 torn")]);
    assert_eq!(scene.found("harmonic"), ["tides.pdf:1"]);
    assert_eq!(scene.found("kind:pdf torn"), ["torn.pdf:1"], "by its name");
    let progress = scene.ask("").progress;
    assert_eq!((progress.left_out, progress.named[0].path.as_str()), (1, "torn.pdf"), "{progress:?}");
}

#[test]
fn changed_pdf_is_read_again() {
    let mut scene = IndexScene::with(&[("tides.pdf", &pdf("Harmonic analysis"))]);
    scene.write("tides.pdf", &pdf("Spring and neap tides"));
    scene.until(|scene| scene.found("neap") == ["tides.pdf:1"]);
    assert_eq!(scene.found("harmonic"), [""; 0]);
    scene.close();
    scene.open();
    assert_eq!(scene.found("neap"), ["tides.pdf:1"], "it is kept over a restart");
}
