import { Check } from 'lucide';
import { cx } from '#app/_ui/cx.ts';
import { Icon } from '#app/_ui/icon.tsx';

/** The box that chooses a row. */
export function ChooseRow(props: {
  title: string;
  selected: boolean;
  onSelect: () => void;
  className: string;
}) {
  return (
    <label className={cx('touch grid cursor-pointer place-items-center', props.className)}>
      <input
        type="checkbox"
        checked={props.selected}
        onChange={props.onSelect}
        aria-label={`Choisir\u00a0: ${props.title.slice(0, 80)}`}
        className="peer absolute top-1/2 left-1/2 size-5 -translate-1/2 appearance-none rounded-xs border border-line-strong bg-surface checked:border-accent checked:bg-accent"
      />
      <Icon
        of={Check}
        size={14}
        strokeWidth={3}
        className="pointer-events-none relative text-on-accent opacity-0 peer-checked:opacity-100"
      />
    </label>
  );
}
