import { sentence } from '../ui/sentence';
import { Plain } from './Plain';

/** A sentence of the server; what stands between backticks is something to type. */
export function Words({ text }: { text: string }) {
  return sentence(text)
    .split('`')
    .map((piece, index) => {
      const key = `${index} ${piece}`;
      const plain = <Plain key={key} text={piece} />;
      return index % 2 === 1 ? <code key={key}>{plain}</code> : plain;
    });
}
