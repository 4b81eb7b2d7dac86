import { shortTitle } from '../../title.ts';

/** The box that chooses a row: one element, whose look is `.choose-row` (app/_ui/styles). */
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
