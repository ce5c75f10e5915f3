//! Whether this month's spending fits the plan.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Asking, Evidence, args::Arguments, dearest::dearest, told};
use crate::{Course, Filter, HistoryError, Index, Until};

#[derive(Serialize)]
struct Projection {
    plan_set: bool,
    plan: Named,
    #[serde(flatten)]
    course: Course,
    /// The answers that cost most in this month of the plan.
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    monthly_usd: Option<f64>,
    reset_day: i8,
}

/// How the plan's month goes; how to set a plan if there is none.
pub fn projection(index: &Index, asking: &Asking, _arguments: &Arguments) -> Result<Value, HistoryError> {
    let Some(plan) = &asking.plan else {
        return Ok(json!({
            "plan_set": false,
            "hint": "set your plan on the page AI history, or in `history.toml` of your Aside folder: [plan] with \
                name = \"claude-pro\" (or claude-max, cursor-pro, cursor-max, or another with monthly_usd) and \
                reset_day",
        }));
    };
    let course = plan.course(index, asking.now, &asking.zone)?;
    let named = Named { name: plan.name.clone(), monthly_usd: plan.dollars(), reset_day: plan.reset_day };
    let since = Filter::moment(&course.period_start, Until::Start, &asking.zone, asking.now)?;
    let evidence = dearest(index, (Some(since), None), None)?;
    told(&Projection { plan_set: true, plan: named, course, evidence })
}
