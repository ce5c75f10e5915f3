//! Scripts that can't run where they are to run: refused before anything of them runs.

use aside_core::{Place, ScriptFault};
use aside_gate::reached_from;
use aside_script::{CallSite, Program, called, compile};

use super::{super::Tasks, fault, fault_of, limits, start::NewScript};

impl Tasks {
    /// Refuses a script that does not compile, wants higher limits, or can't run at its place.
    pub(super) fn check_start(&self, new: &NewScript) -> Result<(), ScriptFault> {
        limits(&new.limits)?;
        let program = compile(&new.source).map_err(fault_of)?;
        self.check_place(new.place)?;
        self.check_reach(new.place, &program)
    }

    /// Refuses a place that does not exist here.
    fn check_place(&self, place: Place) -> Result<(), ScriptFault> {
        let (code, message, hint) = match place {
            Place::Hub => {
                ("wrong_place", "There is no hub here, so no script can run there", "Run it in the workspace.")
            }
            Place::Browser if !(self.windows)() => (
                "no_window",
                "No window is open, so no script can run in the browser",
                "Open the workspace in a browser first, or run the script in the workspace.",
            ),
            Place::Browser | Place::Workspace | Place::Host => return Ok(()),
        };
        Err(ScriptFault { hint: Some(hint.to_owned()), ..fault(code, message) })
    }

    /// Refuses calls that can't be reached from the place. The Gate refuses those that the text does not name.
    fn check_reach(&self, place: Place, program: &Program) -> Result<(), ScriptFault> {
        let catalog = self.gate.catalog();
        for CallSite { action, line } in called(program) {
            let Some(known) = action.parse().ok().and_then(|name| catalog.describe(&name)) else { continue };
            reached_from(place, &known).map_err(|refused| ScriptFault {
                hint: refused.hint,
                line: Some(line),
                action_type: Some(action),
                ..fault(&refused.code, refused.message)
            })?;
        }
        Ok(())
    }
}
