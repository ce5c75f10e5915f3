//! The habits of servers: none changes what is read.

use aside_testkit::fake_models::{Answer, Delivery, Quirk, Reply, Wire};

use super::{answers::rich, bench::Bench};

const HARMLESS: &[Quirk] = &[
    Quirk::CrLf,
    Quirk::Comments,
    Quirk::Padding,
    Quirk::EventLines,
    Quirk::Unknown,
    Quirk::NoIndex,
    Quirk::SameIndex,
    Quirk::StopWithCalls,
    Quirk::FinishTwice,
    Quirk::NoFinish,
    Quirk::NoDone,
    Quirk::UsageWithFinish,
    Quirk::GroqUsage,
    Quirk::Reasoning,
    Quirk::ReasoningApart,
    Quirk::ContentParts,
    Quirk::Nulls,
    Quirk::NoArgsKey,
    Quirk::GrowingInput,
    Quirk::WholeItems,
    Quirk::OnlyOutput,
    Quirk::OtherOutput,
    Quirk::DoneMarker,
    Quirk::BareEnd,
];

async fn check(wire: Wire, answer: Answer, delivery: Delivery) -> (String, String) {
    let bench = Bench::new(wire).await;
    let usual = bench.transcript(Reply::answer(answer.clone())).await;
    (usual, bench.transcript(Reply::Answer(answer, delivery)).await)
}

#[tokio::test]
async fn no_habit_changes_what_is_read() {
    for wire in Wire::ALL {
        for quirk in HARMLESS {
            for (piece, fragment) in [(None, None), (Some(5), Some(4))] {
                let delivery = Delivery { piece, fragment, ..Delivery::quirks(&[*quirk]) };
                let (usual, read) = check(wire, rich(), delivery).await;
                assert_eq!(read, usual, "{wire:?} {quirk:?} {piece:?}");
            }
        }
    }
}

#[tokio::test]
async fn all_habits_of_a_line_at_once_change_nothing() {
    let delivery = Delivery {
        piece: Some(3),
        ..Delivery::quirks(&[Quirk::CrLf, Quirk::Comments, Quirk::Padding, Quirk::Unknown])
    };
    for wire in Wire::ALL {
        let (usual, read) = check(wire, rich(), delivery.clone()).await;
        assert_eq!(read, usual, "{wire:?}");
    }
}

#[tokio::test]
async fn arguments_sent_as_an_object_are_arguments() {
    let mut answer = rich();
    answer.parts.pop();
    let (usual, read) = check(Wire::Chat, answer, Delivery::quirks(&[Quirk::ObjectArgs])).await;
    let sorted = |transcript: &str| transcript.lines().filter(|line| !line.starts_with("call")).collect::<String>();
    assert_eq!(sorted(&read), sorted(&usual));
    assert!(read.contains("naïve 🦀.py"), "{read}");
}

#[tokio::test]
async fn the_runs_of_one_answer_are_added_up() {
    let (_, read) = check(Wire::Anthropic, rich(), Delivery::quirks(&[Quirk::Iterations])).await;
    assert!(read.contains("usage: in 200, out 40, read 80, written 20"), "{read}");
}
