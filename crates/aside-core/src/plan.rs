//! A plan: requests in order, each previewed over the state that the ones before it would leave.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{
    ActionId, ActionRequest, Assessment, Completeness, Failure, FileDiff, ObjectVersion, Outcome, Preview, Risks,
    Ruling, Sha256, Timestamp, Verdict,
};

/// Requests in order, with what each would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<PlanStep>,
    /// Full if all steps show all they do; opaque if no step that does something shows anything.
    pub completeness: Completeness,
    /// SHA-256 over what is asked for, what was shown, and the versions it is from and leaves: what a
    /// person's yes is bound to.
    pub hash: Sha256,
    /// When it was made.
    pub shown: Timestamp,
}

/// One request of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PlanStep {
    /// Its number, from 1; it keeps it when others are left out.
    pub number: u32,
    /// What is asked for.
    pub request: ActionRequest,
    /// The action that it takes back, if it is an undo.
    pub undoes: Option<ActionId>,
    /// What it risks.
    pub risks: Risks,
    /// What policy says.
    pub verdict: Verdict,
    /// What it touches, at which versions.
    pub assessment: Assessment,
    /// What it would do.
    pub preview: Option<Preview>,
    /// What it would leave, as far as that is known.
    pub leaves: Vec<ObjectVersion>,
    /// Set if nobody can know what that earlier step changes: this one is shown as if it had changed nothing.
    pub as_if_without: Option<u32>,
    /// What is otherwise than when it was shown before, if it is shown anew because of that.
    #[serde(default)]
    pub changed: Option<String>,
    /// Why it can't or may not be done, if so: then it is left out.
    pub problem: Option<Failure>,
    /// Where it is.
    pub state: StepState,
    /// The parts of its preview to which a person said yes one by one; with the last of them they have said yes to it.
    #[serde(default)]
    pub accepted: Vec<u32>,
    /// The changes that a person took out of it, as they were shown, with numbers of their own: it is asked for without
    /// them.
    #[serde(default)]
    pub rejected: Vec<FileDiff>,
    /// Who said yes to it.
    pub approved_by: Option<String>,
    /// The action that carried it out.
    pub action: Option<ActionId>,
    /// How that ended.
    pub outcome: Option<Outcome>,
}

/// Where a step of a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// To be done.
    Waiting,
    /// It will not be done: it can't, it may not, or a person does not want it.
    LeftOut,
    /// It is being done.
    Running,
    /// It is done.
    Done,
    /// It was tried and could not be done.
    Failed,
    /// Nobody knows how it ended.
    Interrupted,
}

impl Plan {
    /// Makes a plan of its steps.
    pub fn new(steps: Vec<PlanStep>, shown: Timestamp) -> Self {
        let essences: Vec<_> = steps.iter().map(PlanStep::essence).collect();
        Self { completeness: completeness(&steps), hash: Sha256::of_json(&essences), steps, shown }
    }

    /// The next step to be done.
    pub fn next(&self) -> Option<&PlanStep> {
        self.steps.iter().find(|step| step.state == StepState::Waiting)
    }

    /// How many steps are in a state.
    pub fn count(&self, state: StepState) -> usize {
        self.steps.iter().filter(|step| step.state == state).count()
    }
}

impl PlanStep {
    /// A hash of what a person decides on: what is asked for, what it would do, from which versions to which.
    pub fn essence(&self) -> Sha256 {
        let request = (&self.request.action_type, &self.request.target, &self.request.args, &self.undoes);
        let shown = self.preview.as_ref().map(Preview::essence);
        let allowed = (self.verdict.ruling == Ruling::Deny, self.problem.is_some(), &self.risks);
        Sha256::of_json(&(request, shown, allowed, &self.assessment.versions, &self.leaves, self.as_if_without))
    }

    /// Says what is different from what was shown, if anything is, where it would now do this with those. Looking does no
    /// harm whatever there is to see.
    pub fn difference(&self, risks: &Risks, assessment: &Assessment, preview: Option<&Preview>) -> Option<String> {
        if risks.is_read_only() {
            return None;
        }
        let (shown, now) = (&self.assessment.versions, &assessment.versions);
        for version in now {
            let before = shown.iter().find(|shown| shown.object == version.object);
            if before != Some(version) {
                return Some(format!("{} `{}` has changed meanwhile", version.object.kind, version.object.id));
            }
        }
        if shown.len() != now.len() {
            return Some("it now affects other objects".to_owned());
        }
        if self.preview.as_ref().map(Preview::essence) != preview.map(Preview::essence) {
            return Some("it would now make a different change".to_owned());
        }
        (!risks.is_subset(&self.risks)).then(|| format!("its risks are now {risks}"))
    }

    /// How much of what it does is shown.
    pub fn completeness(&self) -> Completeness {
        match &self.preview {
            None => Completeness::Opaque,
            Some(preview) if self.as_if_without.is_some() && preview.completeness == Completeness::Full => {
                Completeness::Partial
            }
            Some(preview) => preview.completeness,
        }
    }

    /// Tells whether it is one that changes something.
    pub fn acts(&self) -> bool {
        !self.risks.is_read_only()
    }
}

fn completeness(steps: &[PlanStep]) -> Completeness {
    let shown: Vec<_> =
        steps.iter().filter(|step| step.problem.is_none() && step.acts()).map(PlanStep::completeness).collect();
    if shown.iter().all(|shown| *shown == Completeness::Full) {
        Completeness::Full
    } else if shown.iter().all(|shown| *shown == Completeness::Opaque) {
        Completeness::Opaque
    } else {
        Completeness::Partial
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn step(number: u32, completeness: Completeness) -> PlanStep {
        let verdict = Verdict::new(Ruling::Allow, "test", "");
        PlanStep {
            number,
            request: ActionRequest::new("doc.edit".parse().unwrap(), json!({ "number": number })),
            undoes: None,
            risks: [crate::Risk::Write].into(),
            verdict,
            assessment: Assessment::default(),
            preview: Some(Preview { completeness, ..Preview::summary("Edit") }),
            leaves: Vec::new(),
            as_if_without: None,
            changed: None,
            problem: None,
            state: StepState::Waiting,
            accepted: Vec::new(),
            rejected: Vec::new(),
            approved_by: None,
            action: None,
            outcome: None,
        }
    }

    fn plan(steps: &[Completeness]) -> Plan {
        Plan::new(steps.iter().zip(1..).map(|(shown, number)| step(number, *shown)).collect(), Timestamp(0))
    }

    #[test]
    fn a_plan_shows_as_much_as_its_steps() {
        use Completeness::{Full, Opaque, Partial};
        let cases = [
            (&[][..], Full),
            (&[Full, Full], Full),
            (&[Full, Opaque], Partial),
            (&[Full, Partial], Partial),
            (&[Opaque, Opaque], Opaque),
        ];
        for (steps, wanted) in cases {
            assert_eq!(plan(steps).completeness, wanted, "{steps:?}");
        }
    }

    #[test]
    fn the_hash_is_over_what_is_shown_and_not_over_how_far_it_is() {
        let one = plan(&[Completeness::Full; 2]);
        let mut further = one.steps.clone();
        further[0].state = StepState::Done;
        further[0].approved_by = Some("ada".into());
        further[1].accepted = vec![0];
        assert_eq!(Plan::new(further, Timestamp(9)).hash, one.hash);
        let mut other = one.steps.clone();
        other[1].leaves.push(ObjectVersion {
            object: crate::ObjectRef { kind: "file".into(), id: "a".into() },
            version: Some(Sha256::of("b")),
        });
        assert_ne!(Plan::new(other, Timestamp(0)).hash, one.hash);
        let mut other = one.steps;
        other[1].request.args = json!({});
        assert_ne!(Plan::new(other, Timestamp(0)).hash, one.hash);
    }
}
