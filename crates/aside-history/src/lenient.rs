//! JSON as other programs write it: a field of an unexpected type is as good as absent, and no reason to lose its line.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{
        IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};

/// Text, borrowed from the line where it has no escapes; empty if it is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Text<'_> {
    /// The text, unless it is empty.
    pub fn get(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(&*self.0)
    }

    /// A copy, unless it is empty.
    pub fn owned(&self) -> Option<String> {
        self.get().map(str::to_owned)
    }
}

/// A number of things: fractions are cut, and what is below zero is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub Option<u64>);

impl Count {
    /// The number, or zero.
    pub fn or_zero(self) -> u64 {
        self.0.unwrap_or(0)
    }
}

/// An amount that may have a fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount(pub Option<f64>);

/// A point in time as logs have it: text, or a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment<'a> {
    /// Empty if it is a number, or none.
    pub text: Cow<'a, str>,
    /// None if it is text.
    pub number: Option<f64>,
}

/// Yes only if it says `true`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

/// An object; all its fields are absent if it is something else.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object<T>(pub T);

/// An object by its names, in their order; a list has no names, and what is something else is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields<'a, T>(pub Vec<(Text<'a>, T)>);

impl<T> Default for Fields<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Text, or a list of blocks, as most chat formats have what is said.
#[derive(Clone, Debug, PartialEq)]
pub enum Content<'a, B> {
    /// Bare text.
    Text(Cow<'a, str>),
    /// Blocks.
    Blocks(Vec<B>),
}

impl<B> Default for Content<'_, B> {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

/// Consumes what a visitor has no use for.
fn drain_seq<'de, A: SeqAccess<'de>>(mut list: A) -> Result<(), A::Error> {
    while list.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn drain_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

macro_rules! nothing_of {
    ($nothing:expr; $($kind:ident)*) => { $(nothing_of!(@ $kind $nothing);)* };
    (@ bool $nothing:expr) => { fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> { Ok($nothing) } };
    (@ number $nothing:expr) => {
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> { Ok($nothing) }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> { Ok($nothing) }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> { Ok($nothing) }
    };
    (@ text $nothing:expr) => { fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> { Ok($nothing) } };
    (@ null $nothing:expr) => { fn visit_unit<E>(self) -> Result<Self::Value, E> { Ok($nothing) } };
    (@ list $nothing:expr) => {
        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> { drain_seq(list)?; Ok($nothing) }
    };
    (@ map $nothing:expr) => {
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> { drain_map(map)?; Ok($nothing) }
    };
}

fn anything(formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("any JSON")
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Text<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
            nothing_of!(Text::default(); bool number null list map);
        }
        deserializer.deserialize_any(Wanted)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Amount;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            #[expect(clippy::cast_precision_loss, reason = "no amount is that large")]
            fn visit_i64<E>(self, number: i64) -> Result<Amount, E> {
                Ok(Amount(Some(number as f64)))
            }
            #[expect(clippy::cast_precision_loss, reason = "no amount is that large")]
            fn visit_u64<E>(self, number: u64) -> Result<Amount, E> {
                Ok(Amount(Some(number as f64)))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Amount, E> {
                Ok(Amount(number.is_finite().then_some(number)))
            }
            nothing_of!(Amount(None); bool text null list map);
        }
        deserializer.deserialize_any(Wanted)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Moment<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Moment<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Moment { text: Cow::Borrowed(text), number: None })
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Moment { text: Cow::Owned(text.to_owned()), number: None })
            }
            #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 have 41 bits")]
            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Moment { text: Cow::default(), number: Some(number as f64) })
            }
            #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 have 41 bits")]
            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Moment { text: Cow::default(), number: Some(number as f64) })
            }
            fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
                Ok(Moment { text: Cow::default(), number: Some(number) })
            }
            nothing_of!(Moment::default(); bool null list map);
        }
        deserializer.deserialize_any(Wanted)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Count;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            fn visit_i64<E>(self, number: i64) -> Result<Count, E> {
                Ok(Count(u64::try_from(number).ok()))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Count, E> {
                Ok(Count(Some(number)))
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
            fn visit_f64<E>(self, number: f64) -> Result<Count, E> {
                Ok(Count((number >= 0.0).then_some(number as u64)))
            }
            nothing_of!(Count(None); bool text null list map);
        }
        deserializer.deserialize_any(Wanted)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Flag;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            fn visit_bool<E>(self, yes: bool) -> Result<Flag, E> {
                Ok(Flag(yes))
            }
            nothing_of!(Flag(false); number text null list map);
        }
        deserializer.deserialize_any(Wanted)
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Wanted<T> {
            type Value = Object<T>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
            nothing_of!(Object(T::default()); bool number text null list);
        }
        deserializer.deserialize_any(Wanted(PhantomData))
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Fields<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Wanted<T> {
            type Value = Fields<'de, T>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(value) = list.next_element()? {
                    fields.push((Text::default(), value));
                }
                Ok(Fields(fields))
            }
            nothing_of!(Fields::default(); bool number text null);
        }
        deserializer.deserialize_any(Wanted(PhantomData))
    }
}

impl<'de: 'a, 'a, B: Deserialize<'de>> Deserialize<'de> for Content<'a, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted<B>(PhantomData<B>);
        impl<'de, B: Deserialize<'de>> Visitor<'de> for Wanted<B> {
            type Value = Content<'de, B>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                anything(formatter)
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Content::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Content::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(Content::Blocks)
            }
            nothing_of!(Content::Blocks(Vec::new()); bool number null map);
        }
        deserializer.deserialize_any(Wanted(PhantomData))
    }
}
