'use client';
import { FileVideo, ImagePlus, Images, Link2, X } from 'lucide';
import { useRef, useState } from 'react';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Progress } from '#app/_ui/data/gauges.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { duration, ofName } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { Picture } from '#app/_ui/state/picture.tsx';
import type { Draft, DraftReference, Role } from '../draft/draft.ts';
import { ROLE_LABELS } from '../draft/roles.ts';
import type { Bring } from './use-bring.ts';

const Picker = lazyPart(
  () => import('./picker.tsx'),
  null,
  ({ onClose }) => onClose(),
);

type Props = {
  draft: Draft;
  /** Null if this kind takes no reference. */
  bring: Bring | null;
  /** Why a reference would not be sent, by its key. */
  reasons: ReadonlyMap<string, string>;
  /** The refusal of a reference by the preview or the request, by its `ref`. */
  refusalOf: (ref: string) => string | null;
  /** The duration that the preview measured, in milliseconds. */
  durationOf: (ref: string) => number | undefined;
};

/** The references of the request: files of the account, files dropped or pasted, addresses; each with its role, progress and refusal. */
export default function References({ draft, bring, reasons, refusalOf, durationOf }: Props) {
  const [link, setLink] = useState('');
  const [picking, setPicking] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  if (!bring) return null;
  const { roles, takesClips, update } = bring;
  const addLink = () => {
    const address = link.trim();
    if (!address) return;
    bring.addLink(address);
    setLink('');
  };

  return (
    <section
      aria-label="Références"
      data-focus-home
      className="rounded-md border border-line-strong/60 border-dashed p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto font-medium text-sm">
          Références <span className="font-normal text-ink-faint">· facultatif</span>
        </h2>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          accept={
            takesClips
              ? 'image/png,image/jpeg,image/webp,image/gif,video/mp4,video/quicktime,video/webm'
              : 'image/png,image/jpeg,image/webp,image/gif'
          }
          onChange={(event) => {
            for (const file of event.currentTarget.files ?? []) void bring.bring(file);
            event.currentTarget.value = '';
          }}
        />
        <Button size="sm" icon={ImagePlus} onClick={() => files.current?.click()}>
          Ajouter un fichier
        </Button>
        <Button size="sm" icon={Images} aria-haspopup="dialog" onClick={() => setPicking(true)}>
          Choisir
        </Button>
      </div>
      {draft.references.length > 0 ? (
        <ul role="list" className="mt-3 flex flex-wrap gap-3">
          {draft.references.map((one) => (
            <Reference
              key={one.key}
              one={one}
              roles={roles}
              reason={reasons.get(one.key)}
              refusal={one.refusal ?? (one.ref ? refusalOf(one.ref) : null)}
              measured={one.durationMs ?? (one.ref ? durationOf(one.ref) : undefined)}
              onRole={(role) => update(one.key, { role })}
              onRemove={() => bring.remove(one.key)}
            />
          ))}
        </ul>
      ) : (
        <p className="mt-2 text-ink-faint text-xs">
          Déposez ou collez des images (4&nbsp;Mo){takesClips ? ' ou des clips (50\u00a0Mo)' : ''} n’importe
          où sur cette page, ou choisissez parmi le journal, les avatars et les envois.
        </p>
      )}
      <div className="mt-3 flex gap-2">
        <Input
          type="url"
          aria-label="Adresse d’une référence"
          placeholder="https://…"
          value={link}
          onChange={(event) => setLink(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            addLink();
          }}
          className="h-8"
        />
        <Button size="sm" icon={Link2} onClick={addLink} aria-disabled={!link.trim() || undefined}>
          Ajouter l’adresse
        </Button>
      </div>
      {picking ? <Picker draft={draft} bring={bring} onClose={() => setPicking(false)} /> : null}
    </section>
  );
}

function Reference({
  one,
  roles,
  reason,
  refusal,
  measured,
  onRole,
  onRemove,
}: {
  one: DraftReference;
  roles: Role[];
  /** Why the reference would not be sent. */
  reason: string | undefined;
  refusal: string | null;
  measured: number | undefined;
  onRole: (role: Role) => void;
  onRemove: () => void;
}) {
  const unknown = !roles.includes(one.role);
  const unused = reason !== undefined && !refusal;
  return (
    <li
      data-reference={one.ref ?? ''}
      data-key={one.key}
      className={cx(
        'relative flex w-40 min-w-0 flex-col overflow-hidden rounded-md border bg-surface',
        refusal ? 'border-fail' : unused ? 'border-warn' : 'border-line',
      )}
    >
      <div className="relative grid h-24 place-items-center overflow-hidden bg-sunken text-ink-faint">
        {one.thumbnail ? (
          <Picture
            src={one.thumbnail}
            alt=""
            className={cx('size-full object-cover', unused && 'opacity-40')}
          />
        ) : one.contentType?.startsWith('video/') ? (
          <Icon of={FileVideo} size={24} strokeWidth={1.5} />
        ) : (
          <Icon of={Link2} size={24} strokeWidth={1.5} />
        )}
        <IconButton
          ref={focusBeside}
          icon={X}
          label={`Retirer ${one.name}`}
          onClick={onRemove}
          className="absolute! top-1 right-1 size-7 bg-surface/90"
        />
      </div>
      {one.ref === null && !refusal ? (
        <Progress
          label={`Envoi ${ofName(one.name)}`}
          {...(one.progress === undefined ? {} : { value: one.progress })}
          className="rounded-none"
        />
      ) : null}
      <div className="flex flex-col gap-1.5 p-2">
        <Select
          aria-label={`Rôle ${ofName(one.name)}`}
          value={unknown ? '' : one.role}
          onChange={(event) => onRole(event.currentTarget.value as Role)}
          className="h-8 pr-7 pl-2 text-xs"
        >
          {unknown ? <option value="">{ROLE_LABELS[one.role]}</option> : null}
          {roles.map((role) => (
            <option key={role} value={role}>
              {ROLE_LABELS[role]}
            </option>
          ))}
        </Select>
        <span className="truncate text-ink-faint text-xs" data-tip={one.name}>
          {measured === undefined ? '' : `${duration(measured)} · `}
          {one.name}
        </span>
        {refusal ? (
          <span role="alert" className="wrap-anywhere text-fail text-xs">
            {refusal}
          </span>
        ) : null}
        {/* In the page before its text: some screen readers do not announce a region that appears with its text. */}
        <span role="status" className="wrap-anywhere text-warn text-xs empty:absolute">
          {unused ? (
            <>
              <b className="block font-medium">Non envoyée</b>
              {reason}
            </>
          ) : null}
        </span>
      </div>
    </li>
  );
}
