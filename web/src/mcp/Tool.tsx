import { Plain } from '../actions/Plain';
import { Note } from '../ui/Note';
import type { McpTool } from '../wire/gen/types';
import styles from './Programs.module.css';
import { hintWords } from './words';

/** One tool, in the server's words, with what holds for it here. */
export function Tool({ tool }: { tool: McpTool }) {
  return (
    <li className={styles.tool}>
      <p>
        <code>{tool.action}</code> <span className={styles.risks}>{tool.choice.risks.join(', ')}</span>
      </p>
      <ToolWords tool={tool} />
    </li>
  );
}

/** What its server says of it. */
export function ToolWords({ tool: { description, hints } }: { tool: McpTool }) {
  return (
    <>
      <p className={styles.words}>
        <Plain text={description} />
      </p>
      <Note>{hintWords(hints)}</Note>
    </>
  );
}
