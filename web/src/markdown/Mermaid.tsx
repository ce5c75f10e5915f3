import { useEffect, useState } from 'react';
import { CodeBlock } from './CodeBlock';
import { type Drawn, drawDiagram, useIsDark } from './mermaid';
import styles from './Notes.module.css';

/** A diagram. It is drawn apart from the page and shown as a picture; what can't be drawn is shown with the reason. */
export default function Mermaid({ text }: { text: string }) {
  const dark = useIsDark();
  const [drawn, setDrawn] = useState<(Drawn & { text: string }) | null>(null);
  useEffect(() => {
    let wanted = true;
    void drawDiagram(text, dark).then((drawn) => wanted && setDrawn({ ...drawn, text }));
    return () => {
      wanted = false;
    };
  }, [text, dark]);
  if (drawn?.text === text && 'failure' in drawn) {
    return (
      <>
        <p className={styles.failed}>Couldn’t draw this diagram: {drawn.failure}</p>
        <CodeBlock language="mermaid" text={text} />
      </>
    );
  }
  if (!drawn || 'failure' in drawn) return <CodeBlock language="mermaid" text={text} />;
  return (
    <figure className={styles.diagram}>
      <img src={drawn.picture} width={drawn.width} alt={`Diagram: ${text}`} />
    </figure>
  );
}
