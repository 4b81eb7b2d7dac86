'use client';
import { FileVideo, ImagePlus, Link2, X } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Progress } from '#app/_ui/data/gauges.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { duration, ofName } from '#app/_ui/format.ts';
import type { ComposerData, Draft, DraftReference, Role } from '../draft/draft.ts';
import { avatarsFor, firstRole, ROLE_LABELS, rolesOf } from '../draft/roles.ts';
import type { Change } from '../draft/use-draft.ts';
import { AttachRefusal, attachFile } from './attach.ts';

type Props = {
  draft: Draft;
  data: ComposerData;
  change: Change;
  /** Why a reference would not be sent, by its key. */
  reasons: ReadonlyMap<string, string>;
  /** What the preview or the request said of a reference, by what it names. */
  refusalOf: (ref: string) => string | null;
  /** What the preview measured. */
  durationOf: (ref: string) => number | undefined;
};

/** References as a strip: files dropped or chosen, addresses, avatars; each with its role, its progress, its refusal. */
export function References({ draft, data, change, reasons, refusalOf, durationOf }: Props) {
  const [over, setOver] = useState(false);
  const [link, setLink] = useState('');
  const files = useRef<HTMLInputElement>(null);
  const roles = rolesOf(draft, data);
  if (roles.length === 0) return null;
  const avatars = avatarsFor(draft.productId, data);
  const takesClips = roles.some((role) => role === 'clips' || role === 'clip');

  const update = (key: string, part: Partial<DraftReference>) =>
    change((before) => ({
      references: before.references.map((one) => (one.key === key ? { ...one, ...part } : one)),
    }));
  const add = (one: Omit<DraftReference, 'key' | 'role'> & { contentType?: string }) => {
    const key = crypto.randomUUID();
    change((before) => ({
      references: [
        ...before.references,
        { ...one, key, role: firstRole(before, data, one.contentType ?? 'image/') },
      ],
    }));
    return key;
  };
  const bring = async (file: File) => {
    const thumbnail = file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined;
    const key = add({
      ref: null,
      name: file.name,
      contentType: file.type,
      ...(thumbnail ? { thumbnail } : { progress: 0 }),
    });
    try {
      const attached = await attachFile(file, { productId: draft.productId, takesClips }, (progress) =>
        update(key, { progress }),
      );
      update(key, {
        ref: attached.id,
        contentType: attached.contentType,
        progress: 1,
        ...(attached.durationMs === null ? {} : { durationMs: attached.durationMs }),
        ...(attached.contentType.startsWith('image/') ? { thumbnail: attached.url } : {}),
      });
    } catch (error) {
      update(key, { refusal: error instanceof AttachRefusal ? error.message : 'L’envoi n’a pas abouti.' });
    }
  };
  const addLink = () => {
    const address = link.trim();
    if (!address) return;
    const moves = /\.(mp4|mov|webm|m4v)(\?|$)/i.test(address);
    add({
      ref: address,
      name: URL.canParse(address) ? new URL(address).hostname : address,
      contentType: moves ? 'video/mp4' : 'image/',
    });
    setLink('');
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    for (const file of event.dataTransfer.files) void bring(file);
    const address = event.dataTransfer.getData('text/uri-list');
    if (event.dataTransfer.files.length === 0 && address) setLink(address);
  };

  return (
    <section
      aria-label="Références"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'rounded-md border border-dashed p-3 transition-colors',
        over ? 'border-accent-ink bg-accent-soft' : 'border-line-strong/60',
      )}
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
            for (const file of event.currentTarget.files ?? []) void bring(file);
            event.currentTarget.value = '';
          }}
        />
        <Button size="sm" icon={ImagePlus} onClick={() => files.current?.click()}>
          Ajouter un fichier
        </Button>
        {avatars.length > 0 && !roles.includes('fields') ? (
          <Select
            aria-label="Ajouter un avatar"
            value=""
            onChange={(event) => {
              const avatar = avatars.find((one) => one.id === event.currentTarget.value);
              if (avatar)
                add({ ref: avatar.id, name: avatar.name, contentType: 'image/', thumbnail: avatar.url });
            }}
            className="h-8 w-36"
          >
            <option value="">Un avatar…</option>
            {avatars.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </Select>
        ) : null}
      </div>
      {draft.references.length > 0 ? (
        <ul className="mt-3 flex flex-wrap gap-3">
          {draft.references.map((one) => (
            <Reference
              key={one.key}
              one={one}
              roles={roles}
              reason={reasons.get(one.key)}
              refusal={one.refusal ?? (one.ref ? refusalOf(one.ref) : null)}
              measured={one.durationMs ?? (one.ref ? durationOf(one.ref) : undefined)}
              onRole={(role) => update(one.key, { role })}
              onRemove={() =>
                change((before) => ({
                  references: before.references.filter((other) => other.key !== one.key),
                }))
              }
            />
          ))}
        </ul>
      ) : (
        <p className="mt-2 text-ink-faint text-xs">
          Déposez ici des images (4&nbsp;Mo){takesClips ? ' ou des clips (50\u00a0Mo)' : ''}, ou collez une
          adresse.
        </p>
      )}
      <div className="mt-3 flex gap-2">
        <Input
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
        <Button size="sm" icon={Link2} onClick={addLink} disabled={!link.trim()}>
          Ajouter l’adresse
        </Button>
      </div>
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
  /** Why it would not be sent. */
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
          // biome-ignore lint/performance/noImgElement: private files behind the session, which the optimizer cannot read
          <img src={one.thumbnail} alt="" className={cx('size-full object-cover', unused && 'opacity-40')} />
        ) : one.contentType?.startsWith('video/') ? (
          <FileVideo aria-hidden size={24} strokeWidth={1.5} />
        ) : (
          <Link2 aria-hidden size={24} strokeWidth={1.5} />
        )}
        <IconButton
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
        ) : unused ? (
          <span role="status" className="wrap-anywhere text-warn text-xs">
            <b className="block font-medium">Non envoyée</b>
            {reason}
          </span>
        ) : null}
      </div>
    </li>
  );
}
