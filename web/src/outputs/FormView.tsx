import { lazy, type ReactNode, Suspense } from 'react';
import { learnForm } from '../notebook/watch';
import { Active } from './Active';
import { libraryOf } from './charts';
import { JsonTree } from './JsonTree';
import { type Display, type Look, type ShownForm, textOf } from './mime';
import { OpenAll } from './OpenAll';
import type { OutputPlace } from './Outputs';
import styles from './Outputs.module.css';
import { Picture } from './Picture';
import { Terminal } from './Terminal';

const Markdown = lazy(() => import('../markdown/Markdown'));
const Html = lazy(() => import('./Html'));
const Chart = lazy(() => import('./Chart'));
const Widget = lazy(() => import('./widgets/WidgetView'));
const Table = lazy(() => import('./Table'));
const Latex = lazy(() => import('./Latex'));

interface FormViewProps {
  at: OutputPlace;
  form: ShownForm;
  output: Display;
}

/** One form of an output; what was too large to be sent is read on demand, and only then it is known what it is. */
export function FormView({ at, form, output }: FormViewProps) {
  const { mime, look, value, omitted } = form;
  if (omitted !== null) {
    const read = (text: string) =>
      learnForm(at, output, mime, look === 'json' || look === 'chart' || look === 'table' ? parsed(text) : text);
    return (
      <>
        {mime !== 'text/plain' && output.data['text/plain'] !== undefined && (
          <Terminal text={textOf(output.data['text/plain'])} label="Output" />
        )}
        <OpenAll at={at} mime={mime} omitted={omitted} onRead={read} />
      </>
    );
  }
  return <Suspense fallback={<div className={styles.later} />}>{VIEWS[look](value, mime, output, at)}</Suspense>;
}

const VIEWS: Record<Look, (value: unknown, mime: string, output: Display, at: OutputPlace) => ReactNode> = {
  image: (value, mime, output) => (
    <Picture source={`data:${mime};base64,${textOf(value).replaceAll(/\s/g, '')}`} mime={mime} output={output} />
  ),
  // As an image nothing in it can run, nor reach anything.
  svg: (value, mime, output) => (
    <Picture
      source={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(value))}`}
      mime={mime}
      output={output}
    />
  ),
  html: (value) => <Html text={textOf(value)} />,
  chart: (value, mime) => <Chart library={libraryOf(mime, value) ?? 'vega'} value={value} />,
  widget: (value, _mime, output, at) => <Widget at={at} model={modelIn(value)} output={output} />,
  active: (value) => <Active html={textOf(value)} />,
  latex: (value, _mime, output) => <Latex text={textOf(value)} output={output} />,
  markdown: (value) => (
    <div className={styles.prose}>
      <Markdown text={textOf(value)} />
    </div>
  ),
  table: (value) => <Table value={value} />,
  json: (value) => <JsonTree value={value} />,
  text: (value) => <Terminal text={textOf(value)} label="Result" />,
};

/** The model that a view of a widget names. */
function modelIn(value: unknown): string {
  const { model_id } = (typeof value === 'object' && value !== null ? value : {}) as { model_id?: unknown };
  return typeof model_id === 'string' ? model_id : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
