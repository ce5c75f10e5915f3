//! Logs that their program compressed: Codex does so with those to which nothing was added for some days.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read},
    path::Path,
};

use ruzstd::decoding::StreamingDecoder;

const ENDING: &str = ".zst";

/// Tells whether a log is compressed, by its name.
pub fn is_compressed(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(ENDING.as_bytes())
}

/// A name as it is where nothing is compressed.
pub fn plain_name(name: &str) -> &str {
    name.strip_suffix(ENDING).unwrap_or(name)
}

/// The same log as it is called where it is compressed, or where it is not any more.
pub fn twin(path: &str) -> String {
    path.strip_suffix(ENDING).map_or_else(|| format!("{path}{ENDING}"), str::to_owned)
}

/// The bytes of a log as its program wrote them at first.
pub fn unpacked(file: File) -> impl Read {
    Frames { file: Some(BufReader::new(file)), frame: None }
}

/// The frames of a file, one after the other.
struct Frames {
    file: Option<BufReader<File>>,
    frame: Option<StreamingDecoder<BufReader<File>, ruzstd::decoding::FrameDecoder>>,
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
            }
            self.file = self.frame.take().map(StreamingDecoder::into_inner).or(self.file.take());
            let Some(mut file) = self.file.take() else { return Ok(0) };
            if file.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.frame = Some(StreamingDecoder::new(file).map_err(io::Error::other)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write as _};

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "makes a compressed log")]
    fn compressed_log_is_read_frame_by_frame_and_damage_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl.zst");
        let read = |bytes: &[u8]| {
            fs::File::create(&path).unwrap().write_all(bytes).unwrap();
            let mut text = String::new();
            unpacked(fs::File::open(&path).unwrap()).read_to_string(&mut text).map(|_| text)
        };
        let frame = |text: &str| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        let both = [frame("one\n"), frame(&"two\n".repeat(100_000))].concat();
        assert_eq!(read(&both).unwrap(), "one\n".to_owned() + &"two\n".repeat(100_000));
        assert_eq!(read(b"").unwrap(), "");
        assert!(read(&both[..both.len() / 2]).is_err());
        assert!(read(b"not compressed").is_err());
    }

    #[test]
    fn names_tell_what_is_compressed() {
        assert!(is_compressed(Path::new("/a/r.jsonl.zst")) && !is_compressed(Path::new("/a/r.jsonl")));
        assert_eq!(
            (twin("/a/r.jsonl"), twin("/a/r.jsonl.zst")),
            ("/a/r.jsonl.zst".to_owned(), "/a/r.jsonl".to_owned())
        );
        assert_eq!(plain_name("r.jsonl.zst"), plain_name("r.jsonl"));
    }
}
