import { shortTitle } from '../../title.ts';

/** The checkbox that chooses a generation: a single element, drawn by `.choose-row` (app/_ui/styles). */
export function ChooseRow(props: { title: string; selected: boolean; onSelect: () => void }) {
  return (
    <input
      type="checkbox"
      checked={props.selected}
      onChange={props.onSelect}
      aria-label={`Choisir\u00a0: ${shortTitle(props.title)}`}
      className="choose-row touch"
    />
  );
}
