'use client';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState, useTransition } from 'react';
import type { ApiError, ApiRefusal } from '#app/_ui/api-error.ts';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { latePart } from '#app/_ui/late-part.tsx';
import { lazyPart, preload } from '#app/_ui/lazy-part.ts';
import { preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { useOnline } from '#app/_ui/use-online.ts';
import type { ComposerData, ComposerKind, Draft, GivenDraft } from './draft/draft.ts';
import { leftOut } from './draft/left-out.ts';
import { EDIT_CASE, isUpscale } from './draft/roles.ts';
import { toRequest } from './draft/to-request.ts';
import { useDraft } from './draft/use-draft.ts';
import { variantsOf } from './draft/variants.ts';
import { BriefFields, type FieldsProps } from './fields/fields.tsx';
import { loadAttach, useBring } from './fields/use-bring.ts';
import { type PreviewState, usePreview } from './preview/use-preview.ts';
import { useResults } from './result/use-results.ts';
import { enterKey } from './sending/enter-key.ts';
import { paidTwin } from './sending/kept-requests.ts';
import { SendBar } from './sending/send-bar.tsx';
import { useSending } from './sending/use-sending.ts';

// The parts around the request, and the fields of each kind: the server renders them, and their scripts load after the
// page's own.
const ROW = <div className="skeleton h-15" />;
const ProductField = latePart(() => import('./fields/product-field.tsx'), ROW);
const References = latePart(() => import('./fields/references.tsx'), <div className="skeleton h-32" />);
const BringAnywhere = latePart(() => import('./fields/bring-anywhere.tsx'), null, null);
const PreviewPanel = latePart(() => import('./preview/preview-panel.tsx'));
const loadImage = () => import('./fields/kinds/image-fields.tsx');
const ImageFields = latePart(loadImage, ROW);
const loadVideo = () => import('./fields/kinds/video-fields.tsx');
const VideoFields = latePart(loadVideo, ROW);
const loadVoice = () => import('./fields/kinds/voice-fields.tsx');
const VoiceFields = latePart(() => loadVoice().then((part) => ({ default: part.VoiceFields })), ROW);
const LipsyncFields = latePart(() => loadVoice().then((part) => ({ default: part.LipsyncFields })), ROW);
const loadRender = () => import('./fields/kinds/render-fields.tsx');
const RenderFields = latePart(() => loadRender().then((part) => ({ default: part.RenderFields })), ROW);
const AncestorNote = latePart(() => import('./fields/ancestor-note.tsx'));
const MaskEditor = lazyPart(() => import('./fields/mask-editor.tsx'));
const loadResults = () => import('./result/result-column.tsx');
const ResultColumn = latePart(loadResults);
const loadAnother = () => import('./sending/another.tsx');
const Another = lazyPart(loadAnother, null, ({ onClose }) => onClose());

const KINDS: { value: ComposerKind; label: string }[] = [
  { value: 'image', label: 'Image' },
  { value: 'vector', label: 'Pictogramme' },
  { value: 'voice', label: 'Voix' },
  { value: 'video', label: 'Vidéo' },
  { value: 'lipsync', label: 'Lèvres' },
  { value: 'render', label: 'Rendu' },
];

/** Fields whose refusals are shown under the references. */
const OF_REFERENCES = ['references', 'composition.product', 'composition.mask', 'edit.image', 'edit.mask'];

/** Whether anything was entered for the current kind: before that, no refusal is shown. */
function isWritten(draft: Draft): boolean {
  if (draft.kind === 'voice') return draft.text.trim() !== '';
  if (draft.kind === 'lipsync') return draft.voiceGenerationId !== '';
  if (isUpscale(draft)) return draft.references.some((one) => one.role === 'source');
  if (draft.kind === 'render') return Object.keys(draft.fields[draft.template] ?? {}).length > 0;
  return draft.brief.trim() !== '';
}

function titleOf(draft: Draft, data: ComposerData): string {
  if (draft.kind === 'voice') return draft.text.trim();
  if (draft.kind === 'lipsync') return 'Synchronisation labiale';
  if (draft.kind === 'render')
    return data.templates.find((one) => one.id === draft.template)?.name ?? 'Rendu';
  return isUpscale(draft) ? 'Agrandissement' : draft.brief.trim();
}

type Props = {
  data: ComposerData;
  given: GivenDraft | null;
  /** The query for which the server rendered the page. */
  drawnFor: string;
  icons: Record<ComposerKind, ReactNode>;
};

/** The composer of all kinds: fields, references, a preview of what will be sent and held, and a button that says the price. */
export function Composer({ data, given, drawnFor, icons }: Props) {
  const { draft, change, ready, address } = useDraft(data.memberId, given, drawnFor);
  const online = useOnline();
  const [refused, setRefused] = useState<{ refusal: ApiRefusal; of: string } | null>(null);
  // The kind for which the button was pressed: its messages are not shown for another kind.
  const [pressedOf, setPressedOf] = useState<ComposerKind | null>(null);
  const pressed = pressedOf === draft.kind;
  const [stopped, setStopped] = useState<ApiError | null>(null);
  const { sent, send, again, dismiss, revision } = useSending(data.memberId, data.recent, setStopped);
  const router = useRouter();
  const [reading, read] = useTransition();
  const drawn = useRef(0);
  // The wallet changed: the page is read again, once at a time, but not without network, which would lose the page.
  useEffect(() => {
    if (reading || !online || drawn.current === revision) return;
    drawn.current = revision;
    read(router.refresh);
  });
  const results = useResults(sent, data.recent, address, setStopped);
  const [another, setAnother] = useState<string | null>(null);
  const request = toRequest(draft, data);
  const variants = variantsOf(draft);
  const body = JSON.stringify({ request, variants });
  const written = isWritten(draft);
  const brought = draft.kind === 'voice' ? [draft.consentDocument] : draft.references;
  const uploading = brought.some((one) => one?.ref === null && !one.refusal);
  const bring = useBring(draft, data, change);
  const { reasons, unpaired } = leftOut(draft, data);
  const state = usePreview(request, { wait: !ready, revision, variants });
  // A request that cannot be sent has no true prompt or amount.
  const shown: PreviewState = unpaired ? { preview: null, refusal: null, stale: false } : state;
  const { preview } = state;
  const product = data.products.find((one) => one.id === draft.productId);
  // A refusal concerns the request that was sent: it no longer applies once the request changes.
  const current = refused?.of === body ? refused.refusal : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per refusal, unless the request was changed meanwhile
  useEffect(() => {
    if (!current) return;
    const field = document.querySelector<HTMLElement>('form[data-composer] [aria-invalid=true]');
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  }, [refused]);
  const said = current ?? (written || pressed ? state.refusal : null);

  const problem: FieldsProps['problem'] = (...names) => {
    if (!said) return undefined;
    const found = said.problems?.find(
      ({ field }) => names.includes(field) || names.includes(field.replace(/^fields\./, '')),
    );
    if (found) return found.message;
    return names.includes(said.code) ? said.message : undefined;
  };
  const lacks = !shown.stale && preview?.refusal?.code === 'balance' ? -preview.afterUsd : null;
  const submit = async (isAnother = false) => {
    setPressedOf(draft.kind);
    if (unpaired && written) {
      document.querySelector<HTMLElement>(`[data-key="${CSS.escape(unpaired.key)}"] select`)?.focus();
      return;
    }
    if (!written || uploading || !ready) {
      document
        .querySelector<HTMLElement>('form[data-composer] textarea, form[data-composer] select[required]')
        ?.focus();
      return;
    }
    if (lacks && !isAnother) return document.querySelector<HTMLElement>('[data-lacks]')?.focus();
    // The same request was already answered and paid: sending it again needs a confirmation.
    if (!isAnother && paidTwin(data.memberId, body)) return setAnother(body);
    setAnother(null);
    const { key, outcome } = send({ request, variants }, titleOf(draft, data));
    results.follow(key);
    const refusal = await outcome;
    if (!refusal || refusal.subject?.startsWith('gen_') || refusal.code === 'network')
      return setRefused(null);
    setRefused({ refusal, of: body });
  };
  const keys = (event: KeyboardEvent) => {
    // The key events of a dialog opened from the form reach it through React, but do not concern it.
    if (!event.currentTarget.contains(event.target as Node)) return;
    const meant = enterKey(event);
    if (meant) event.preventDefault();
    if (meant === 'send') void submit();
  };
  // Loaded ahead, for use without network: choosing another kind, showing a request that was lost, asking for confirmation.
  useEffect(() => {
    preload(loadResults);
    for (const load of [loadImage, loadVideo, loadVoice, loadRender, loadAttach]) preload(load);
    preload(loadAnother);
    preloadDialog();
  }, []);
  const props: FieldsProps = { draft, data, change, problem, asked: pressed };

  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <form
        data-composer
        data-ready={ready || undefined}
        noValidate
        onKeyDown={keys}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        className="flex min-w-0 flex-col gap-5"
      >
        <SegmentedControl
          label="Type de génération"
          name="kind"
          value={draft.kind}
          options={KINDS.map((one) => ({ ...one, icon: icons[one.value] }))}
          onChange={(kind) => address.choose(kind as ComposerKind)}
        />
        {current && !current.problems?.length && current.code !== 'reference-refused' ? (
          <Notice tone="fail" role="alert" requestId={current.requestId}>
            {current.message}
          </Notice>
        ) : null}
        <ProductField {...props} product={product} />
        {(draft.kind === 'image' && !isUpscale(draft)) ||
        draft.kind === 'vector' ||
        draft.kind === 'video' ? (
          <BriefFields {...props} />
        ) : null}
        {draft.kind === 'image' ? <ImageFields {...props} /> : null}
        {draft.kind === 'video' ? <VideoFields {...props} /> : null}
        {draft.kind === 'voice' ? <VoiceFields {...props} /> : null}
        {draft.kind === 'lipsync' ? <LipsyncFields {...props} /> : null}
        {draft.kind === 'render' ? <RenderFields {...props} /> : null}
        <References
          draft={draft}
          bring={bring}
          reasons={reasons}
          refusalOf={(ref) => {
            const refusal = current ?? state.refusal;
            return refusal?.code === 'reference-refused' && refusal.subject === ref ? refusal.message : null;
          }}
          durationOf={(ref) => preview?.references.find((one) => one.ref === ref)?.durationMs}
        />
        {draft.kind === 'image' && draft.imageCase === EDIT_CASE ? (
          <MaskEditor draft={draft} change={change} />
        ) : null}
        {problem(...OF_REFERENCES) ? (
          pressed || draft.references.length > 0 ? (
            <p role="alert" className="text-fail text-sm">
              {problem(...OF_REFERENCES)}
            </p>
          ) : (
            <p className="text-ink-soft text-sm">{problem(...OF_REFERENCES)}</p>
          )
        ) : null}
        {pressed && !written ? (
          <p role="alert" className="text-fail text-sm">
            {isUpscale(draft)
              ? 'Ajoutez d’abord l’image à agrandir. Rien n’a été envoyé.'
              : 'Écrivez d’abord ce que vous demandez. Rien n’a été envoyé.'}
          </p>
        ) : null}
        {draft.ancestorId ? <AncestorNote change={change} /> : null}
        <SendBar
          draft={draft}
          data={data}
          change={change}
          state={shown}
          problem={pressed && written && unpaired ? `${unpaired.sentence} Rien n’a été envoyé.` : null}
          blocked={uploading || !ready}
          uploading={uploading}
          pending={sent.some((one) => one.flying && one.body === body)}
          lacks={lacks}
          online={online}
          pressed={pressed}
          onCleared={() => setPressedOf(null)}
        />
      </form>
      {/* Beside the form, not in it: a confirmation in its dialogs must not submit the request. */}
      <div className="flex min-w-0 flex-col gap-6">
        {results.strip.length > 0 || sent.length > 0 ? (
          <ResultColumn
            results={results}
            sent={sent}
            onAgain={(one) => void again(one)}
            onDismiss={dismiss}
            stopped={stopped}
          />
        ) : null}
        <PreviewPanel
          state={shown}
          wallet={data.wallet}
          kind={draft.kind}
          written={written}
          variants={variants}
        />
      </div>
      {/* Not before the draft was read, which would replace what was added sooner. */}
      {ready && <BringAnywhere bring={bring} />}
      {another === null ? null : (
        <Another
          kind={draft.kind}
          preview={shown.stale ? null : preview}
          variants={variants}
          onSend={() => void submit(true)}
          onClose={() => setAnother(null)}
        />
      )}
    </div>
  );
}
