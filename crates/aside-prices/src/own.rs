//! What a person wrote of prices, with what they left out: of a model that lists know, in the proportion of what was written; of others, what
//! their maker takes for its cache.

use crate::{Price, Rate, Rates};

/// What a maker takes for its cache, in hundredths of what input costs: to read, to write for some minutes, for an hour.
const CACHES: &[(&str, [u64; 3])] = &[("anthropic/", [10, 125, 200])];

/// A model's price as the person means it; `listed` is the published one.
pub fn filled(name: &str, own: &Price, listed: Option<&Price>) -> Price {
    let Some(listed) = listed else { return Price { rates: with_cache(name, own.rates), ..own.clone() } };
    let scale = |rates: &Rates| scaled(rates, &own.rates, &listed.rates);
    // Until then, what is published held.
    let before = || own.valid_from.map(|day| listed.lines_before(day)).unwrap_or_default();
    let above = || listed.above.iter().map(|(from, rates)| (*from, scale(rates))).collect();
    Price {
        rates: own.rates.or(&scale(&listed.rates)),
        above: if own.above.is_empty() { above() } else { own.above.clone() },
        fast: own.fast.or(listed.fast),
        context: own.context.or(listed.context),
        max_output: own.max_output.or(listed.max_output),
        can: if own.can.is_empty() { listed.can.clone() } else { own.can.clone() },
        min_cached: own.min_cached.or(listed.min_cached),
        valid_from: own.valid_from,
        before: if own.before.is_empty() { before() } else { own.before.clone() },
    }
}

/// Published prices as they would be if those of input and output were the person's.
fn scaled(rates: &Rates, own: &Rates, listed: &Rates) -> Rates {
    let by = |own: Option<Rate>, listed: Option<Rate>| {
        move |rate: Rate| own.zip(listed).map_or(rate, |(own, listed)| rate.scaled(own, listed))
    };
    let (input, output) = (by(own.input, listed.input), by(own.output, listed.output));
    Rates {
        input: rates.input.map(input),
        output: rates.output.map(output),
        cache_read: rates.cache_read.map(input),
        cache_write: rates.cache_write.map(input),
        cache_write_hour: rates.cache_write_hour.map(input),
        reasoning: rates.reasoning.map(output),
    }
}

/// With what the maker takes for its cache, where the person does not say.
fn with_cache(name: &str, own: Rates) -> Rates {
    let Some((_, shares)) = CACHES.iter().find(|(maker, _)| name.starts_with(maker)) else { return own };
    let [read, write, hour] = shares.map(|share| own.input.map(|input| input.hundredths(share)));
    own.or(&Rates { cache_read: read, cache_write: write, cache_write_hour: hour, ..Rates::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(json: &str) -> Price {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn what_the_person_left_out_is_in_proportion() {
        let listed = r#"{"input":5,"output":25,"cache_read":0.5,"cache_write":6.25,"cache_write_hour":10,"context":200000,"fast":2,
            "above":{"200000":{"input":10,"output":37.5,"cache_read":1}}}"#;
        let check = |own: &str, expected: &str| {
            assert_eq!(filled("anthropic/x", &price(own), Some(&price(listed))), price(expected), "{own}");
        };
        check(
            r#"{"input":10,"output":50}"#,
            r#"{"input":10,"output":50,"cache_read":1,"cache_write":12.5,"cache_write_hour":20,"context":200000,"fast":2,
                "above":{"200000":{"input":20,"output":75,"cache_read":2}}}"#,
        );
        check(
            r#"{"cache_read":0.1,"context":9,"fast":6,"above":{"100000":{"input":7}}}"#,
            r#"{"input":5,"output":25,"cache_read":0.1,"cache_write":6.25,"cache_write_hour":10,"context":9,"fast":6,"above":{"100000":{"input":7}}}"#,
        );
        check("{}", listed);
    }

    #[test]
    fn until_the_day_from_which_it_holds_the_published_price_does() {
        let listed = r#"{"input":5,"output":25,"valid_from":"2026-03-01","before":[{"input":6,"output":25}]}"#;
        let check = |own: &str, inputs: [Option<f64>; 3]| {
            let filled = filled("openai/x", &price(own), Some(&price(listed)));
            let days = ["2026-02-01", "2026-03-15", "2026-04-15"].map(|day| day.parse().unwrap());
            let at = days.map(|day| filled.at(day).and_then(|line| line.rates.input));
            assert_eq!(at, inputs.map(|input| input.and_then(Rate::per_million)), "{own}");
        };
        check(r#"{"input":1,"output":5}"#, [Some(1.0); 3]);
        check(r#"{"input":1,"output":5,"valid_from":"2026-04-01"}"#, [Some(6.0), Some(5.0), Some(1.0)]);
        check(r#"{"input":1,"output":5,"valid_from":"2026-03-01"}"#, [Some(6.0), Some(1.0), Some(1.0)]);
        let own = r#"{"input":1,"output":5,"valid_from":"2026-04-01","before":[{"input":2,"output":5,"valid_from":"2026-03-01"}]}"#;
        check(own, [None, Some(2.0), Some(1.0)]);
    }

    #[test]
    fn the_cache_of_a_model_that_no_list_knows_costs_what_its_maker_takes() {
        let own = price(r#"{"input":10,"output":50,"cache_write":11}"#);
        let expected = price(r#"{"input":10,"output":50,"cache_read":1,"cache_write":11,"cache_write_hour":20}"#);
        assert_eq!(filled("anthropic/claude-of-tomorrow", &own, None), expected);
        assert_eq!(filled("openai/house-model", &own, None), own);
    }
}
