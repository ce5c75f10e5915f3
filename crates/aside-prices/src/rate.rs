//! The price of a token, and how many times as much one in haste costs.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// What a token costs, in 10⁻¹² US dollars. In files it is a number of dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u64);

/// 10⁻¹² dollars a token that are a dollar per million tokens.
const PER_MILLION: f64 = 1e6;
/// A million dollars per million tokens: more is a mistake in the list.
const DEAREST: f64 = 1e6;

impl Rate {
    /// Reads dollars per million tokens; none if that is no price.
    pub fn per_million(dollars: f64) -> Option<Self> {
        let sound = (0.0..=DEAREST).contains(&dollars);
        // Rounded, because 1.25e-6 is not a binary fraction. It fits: the dearest is 10¹².
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        sound.then(|| Self((dollars * PER_MILLION).round() as u64))
    }

    /// What so many tokens cost, in 10⁻¹² dollars.
    pub fn of(self, tokens: u64) -> u64 {
        self.0.saturating_mul(tokens)
    }

    /// This, as it would be if another one became what `then` is.
    pub(crate) fn scaled(self, then: Self, now: Self) -> Self {
        let scaled = (u128::from(self.0) * u128::from(then.0)).checked_div(u128::from(now.0));
        scaled.map_or(self, |scaled| Self(u64::try_from(scaled).unwrap_or(u64::MAX)))
    }

    /// So many hundredths of it.
    pub(crate) fn hundredths(self, share: u64) -> Self {
        self.scaled(Self(share), Self(100))
    }

    /// How many tokens that many 10⁻¹² dollars buy.
    pub fn tokens_for(self, picodollars: u64) -> u64 {
        picodollars.checked_div(self.0).unwrap_or(u64::MAX)
    }
}

/// How many times as much something costs, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor(u32);

impl Factor {
    /// Reads a number of times; none if it is no such number, or one that only a mistake can be.
    pub fn times(number: f64) -> Option<Self> {
        let sound = (0.01..=100.0).contains(&number);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        sound.then(|| Self((number * 100.0).round() as u32))
    }

    /// So many times an amount.
    pub fn of(self, picodollars: u64) -> u64 {
        u64::try_from(u128::from(picodollars) * u128::from(self.0) / 100).unwrap_or(u64::MAX)
    }
}

impl Serialize for Factor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 100.0)
    }
}

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::times(number).ok_or_else(|| D::Error::custom(format!("{number} is not a factor from 0.01 to 100")))
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[expect(clippy::cast_precision_loss, reason = "at most 10¹²")]
        serializer.serialize_f64(self.0 as f64 / PER_MILLION)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Self::per_million(dollars)
            .ok_or_else(|| D::Error::custom(format!("{dollars} is not a price in dollars per million tokens")))
    }
}
