//! The values of a column as text.

use std::fmt::Write as _;

use parquet::{
    basic::{ConvertedType, LogicalType, TimeUnit},
    data_type::{ByteArray, FixedLenByteArray, Int96},
    schema::types::ColumnDescriptor,
};

/// The meaning of a column's numbers and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Plain,
    Unsigned,
    Date,
    /// Since midnight, or since 1970, in parts of a second.
    Time(i64),
    Moment(i64),
    Decimal(usize),
    Uuid,
}

impl Meaning {
    pub fn of(column: &ColumnDescriptor) -> Self {
        let parts = |unit: &TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        match column.logical_type_ref() {
            Some(LogicalType::Date) => return Self::Date,
            Some(LogicalType::Time(time)) => return Self::Time(parts(&time.unit)),
            Some(LogicalType::Timestamp(moment)) => return Self::Moment(parts(&moment.unit)),
            Some(LogicalType::Integer(number)) if !number.is_signed => return Self::Unsigned,
            Some(LogicalType::Uuid) => return Self::Uuid,
            _ => {}
        }
        match column.converted_type() {
            ConvertedType::DATE => Self::Date,
            ConvertedType::TIME_MILLIS => Self::Time(1_000),
            ConvertedType::TIME_MICROS => Self::Time(1_000_000),
            ConvertedType::TIMESTAMP_MILLIS => Self::Moment(1_000),
            ConvertedType::TIMESTAMP_MICROS => Self::Moment(1_000_000),
            ConvertedType::DECIMAL => Self::Decimal(usize::try_from(column.type_scale()).unwrap_or_default()),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
                Self::Unsigned
            }
            _ => Self::Plain,
        }
    }
}

/// How the values of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextStyle {
    pub meaning: Meaning,
    /// Bytes after which a text is cut.
    pub most: usize,
}

/// A value that has a text.
pub(super) trait ValueText {
    fn text(&self, style: TextStyle) -> String;
}

impl ValueText for bool {
    fn text(&self, _: TextStyle) -> String {
        self.to_string()
    }
}

impl ValueText for i32 {
    fn text(&self, style: TextStyle) -> String {
        match style.meaning {
            Meaning::Unsigned => self.cast_unsigned().to_string(),
            _ => i64::from(*self).text(style),
        }
    }
}

impl ValueText for i64 {
    fn text(&self, style: TextStyle) -> String {
        match style.meaning {
            Meaning::Plain | Meaning::Uuid => self.to_string(),
            Meaning::Unsigned => self.cast_unsigned().to_string(),
            Meaning::Date => date(*self),
            Meaning::Time(parts) => time(*self, parts),
            Meaning::Moment(parts) => moment(*self, parts),
            Meaning::Decimal(scale) => decimal(&self.to_string(), scale),
        }
    }
}

/// A moment, as older writers have it.
impl ValueText for Int96 {
    fn text(&self, _: TextStyle) -> String {
        moment(self.to_nanos(), 1_000_000_000)
    }
}

impl ValueText for f32 {
    fn text(&self, _: TextStyle) -> String {
        self.to_string()
    }
}

impl ValueText for f64 {
    fn text(&self, _: TextStyle) -> String {
        self.to_string()
    }
}

impl ValueText for ByteArray {
    fn text(&self, style: TextStyle) -> String {
        bytes(self.data(), style)
    }
}

impl ValueText for FixedLenByteArray {
    fn text(&self, style: TextStyle) -> String {
        bytes(self.data(), style)
    }
}

fn bytes(bytes: &[u8], TextStyle { meaning, most }: TextStyle) -> String {
    match meaning {
        Meaning::Decimal(scale) => {
            whole(bytes).map_or_else(|| hex(bytes), |number| decimal(&number.to_string(), scale))
        }
        Meaning::Uuid if bytes.len() == 16 => {
            let text = hex(bytes);
            format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
        }
        _ if bytes.len() > most => cut(bytes, most),
        _ => std::str::from_utf8(bytes).map_or_else(|_| hex(bytes), str::to_owned),
    }
}

fn cut(bytes: &[u8], most: usize) -> String {
    let shown = &bytes[..most];
    let end = std::str::from_utf8(shown).map_or_else(|error| error.valid_up_to(), str::len);
    // A letter has four bytes at most: if more is wrong, it is no text.
    let text = if most - end < 4 { String::from_utf8_lossy(&shown[..end]).into_owned() } else { hex(bytes) };
    format!("{text}…")
}

/// A whole number with its highest byte first.
fn whole(bytes: &[u8]) -> Option<i128> {
    let mut number = if bytes.first()? & 0x80 == 0 { 0 } else { -1_i128 };
    if bytes.len() > 16 {
        return None;
    }
    for byte in bytes {
        number = number << 8 | i128::from(*byte);
    }
    Some(number)
}

/// Bytes of binary fields that are written out.
const MOST_OF_HEX: usize = 1_000;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(MOST_OF_HEX).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn decimal(digits: &str, scale: usize) -> String {
    if scale == 0 || scale > 80 {
        return digits.to_owned();
    }
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

/// The day so many days after 1 January 1970, by the rules of the Gregorian calendar.
fn date(days: i64) -> String {
    // Days since 1 March of a year 0 that ends a cycle of 400 years.
    let days = days.saturating_add(719_468);
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, is_next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day_of_month:02}", year + cycle * 400 + is_next)
}

fn moment(parts: i64, per_second: i64) -> String {
    let day = 86_400 * per_second;
    format!("{} {}", date(parts.div_euclid(day)), time(parts.rem_euclid(day), per_second))
}

fn time(parts: i64, per_second: i64) -> String {
    let (seconds, fraction) = (parts.div_euclid(per_second), parts.rem_euclid(per_second));
    let text = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if fraction == 0 {
        return text;
    }
    let digits = (per_second.ilog10()) as usize;
    format!("{text}.{fraction:0digits$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(meaning: Meaning) -> TextStyle {
        TextStyle { meaning, most: 100 }
    }

    #[test]
    fn moments_read_well() {
        assert_eq!(
            ["0", "-1", "20785"].map(|days| date(days.parse().unwrap())),
            ["1970-01-01", "1969-12-31", "2026-11-28"]
        );
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!((-1_i64).text(style(Meaning::Moment(1_000))), "1969-12-31 23:59:59.999");
        assert_eq!(3_661_500_000_i64.text(style(Meaning::Time(1_000_000))), "01:01:01.5");
        for extreme in [i64::MIN, i64::MAX] {
            assert!(
                !extreme.text(style(Meaning::Date)).is_empty()
                    && !extreme.text(style(Meaning::Moment(1_000))).is_empty()
            );
        }
    }

    #[test]
    fn long_values_are_cut() {
        let plain = |text: &[u8]| bytes(text, TextStyle { meaning: Meaning::Plain, most: 5 });
        assert_eq!((plain("üüü".as_bytes()), plain(b"abcde")), ("üü…".to_owned(), "abcde".to_owned()));
        assert_eq!(plain(&[0xff; 6]), "ffffffffffff…");
    }

    #[test]
    fn decimals_and_bytes_read_well() {
        assert_eq!((-5_i32).text(style(Meaning::Decimal(2))), "-0.05");
        assert_eq!(bytes(&[0xff, 0x38], style(Meaning::Decimal(2))), "-2.00");
        assert_eq!(bytes(&[1, 0], style(Meaning::Decimal(0))), "256");
        assert_eq!(bytes(&[0xff, 0], style(Meaning::Plain)), "ff00");
        assert_eq!((-1_i32).text(style(Meaning::Unsigned)), "4294967295");
        assert_eq!(bytes(&[0x12; 16], style(Meaning::Uuid)), "12121212-1212-1212-1212-121212121212");
    }
}
