import { useState } from 'react';
import { Raw } from '../actions/Raw';
import { RISKS, withRisk } from '../grants/words';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Check } from '../ui/Field';
import { Note } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import type { McpServer, McpTool, McpToolChoice, Risk } from '../wire/gen/types';
import styles from './Programs.module.css';
import { ToolWords } from './Tool';
import { choicesOf, shared } from './words';

type Choices = Record<string, McpToolChoice>;

interface TrustProps {
  server: McpServer;
  onClose(): void;
  onChosen(choices: Choices): void;
}

/** Every tool of a server as it is now; the person says of each what it may do. It holds for exactly this list. */
export function Trust({ server, onClose, onChosen }: TrustProps) {
  const [choices, setChoices] = useState<Choices>(() => choicesOf(server));
  const all = Object.values(choices);
  const choose = (tool: string, choice: McpToolChoice) => setChoices({ ...choices, [tool]: choice });
  return (
    <Dialog
      title={`Review tools of ${server.name}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} data-first-focus>
            Cancel
          </Button>
          <Button
            look="primary"
            disabled={all.some(({ risks }) => risks.length === 0)}
            onClick={() => onChosen(choices)}
          >
            {all.length === 1 ? 'Trust this tool…' : `Trust all ${all.length} tools…`}
          </Button>
        </>
      }
    >
      <Note>
        Choose the risks of each tool; your permission rules use them. Don’t rely on the server’s own descriptions.
        Tools that only read or write can run without asking, and the server receives their arguments.
      </Note>
      {all.length > 1 && (
        <RiskChoice
          legend="All tools"
          risks={shared(all)}
          onRisks={(risks) => setChoices(choicesOf(server, choices, risks))}
        />
      )}
      <ul className={parts.list} aria-label="Tools">
        {server.tools.map((tool) => {
          const choice = choices[tool.tool];
          return choice && <Choice key={tool.action} tool={tool} choice={choice} onChoose={choose} />;
        })}
      </ul>
    </Dialog>
  );
}

interface ChoiceProps {
  tool: McpTool;
  choice: McpToolChoice;
  onChoose(tool: string, choice: McpToolChoice): void;
}

function Choice({ tool, choice, onChoose }: ChoiceProps) {
  return (
    <li className={styles.tool}>
      <h3>
        <code>{tool.tool}</code>
      </h3>
      <ToolWords tool={tool} />
      <RiskChoice
        legend={`Risks of ${tool.tool}`}
        risks={choice.risks}
        onRisks={(risks) => onChoose(tool.tool, { ...choice, risks })}
      />
      <Check
        checked={choice.idempotent}
        aria-label={`${tool.tool} can be retried if interrupted`}
        onChange={(event) => onChoose(tool.tool, { ...choice, idempotent: event.target.checked })}
      >
        can be retried if interrupted
      </Check>
      <Raw name={`Arguments of ${tool.tool}`} value={tool.args_schema} />
    </li>
  );
}

interface RiskChoiceProps {
  legend: string;
  risks: readonly Risk[];
  onRisks(risks: Risk[]): void;
}

function RiskChoice({ legend, risks, onRisks }: RiskChoiceProps) {
  return (
    <fieldset className={parts.choice}>
      <legend>{legend}</legend>
      {RISKS.map(({ risk, words }) => (
        <Check
          key={risk}
          title={words}
          checked={risks.includes(risk)}
          onChange={(event) => onRisks(withRisk(risks, risk, event.target.checked))}
        >
          {risk}
        </Check>
      ))}
    </fieldset>
  );
}
