'use client';
import Link from 'next/link';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { call, type JournalAnswer } from '#app/_studio/journal/api.ts';
import { VOICE_PARTS } from '#app/_studio/voice-parts.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { type Failure, failureOf } from '#app/_ui/api-error.ts';
import { cx } from '#app/_ui/cx.ts';
import { Meter } from '#app/_ui/data/gauges.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Input, Select, Textarea } from '#app/_ui/form/input.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { VoiceDesk } from '#lib/studio/voices/voice-desk.ts';
import type { FieldsProps } from '../fields.tsx';
import { ConsentFields } from './consent-fields.tsx';
import { voiceLabels } from './voice-choices.ts';

const failing = (sentence: string | undefined) => (sentence ? { error: sentence } : {});

type UnreadNoticeProps = {
  failure: Failure;
  /** Reads again; without it, no button is shown. */
  onRetry?: (() => void) | undefined;
  /** Gets the focus when the button disappears. */
  choice: RefObject<HTMLElement | null>;
};

/** Says what could not be read, with a button to read it again. */
function UnreadNotice({ failure, onRetry, choice }: UnreadNoticeProps) {
  const retry = onRetry ? (
    <Button
      size="sm"
      onClick={() => {
        choice.current?.focus();
        onRetry();
      }}
    >
      Réessayer
    </Button>
  ) : null;
  return (
    <Notice tone="warn" role="alert" requestId={failure.requestId} action={retry}>
      {failure.message}
    </Notice>
  );
}

/** The text to speak, the voice and its settings, and the consent of the person if the origin of the voice is not verified. */
export function VoiceFields({ draft, data, change, problem, asked }: FieldsProps) {
  const [desk, setDesk] = useState<VoiceDesk | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [settings, setSettings] = useState(false);
  const choice = useRef<HTMLSelectElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again
  useEffect(() => {
    const stop = new AbortController();
    call<VoiceDesk>('/api/voice-desk', { signal: stop.signal })
      .then(setDesk)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setFailure(failureOf(error, 'Les voix n’ont pas pu être lues.'));
      });
    return () => stop.abort();
  }, [attempt]);
  const readAgain = () => {
    setFailure(null);
    setAttempt(attempt + 1);
  };
  const chosen = desk?.voices.find((voice) => voice.id === (draft.voiceId || desk.defaultVoiceId));
  const gone = problem('voiceId');
  // No consent is asked for a voice that no longer exists.
  const unverified = gone ? undefined : problem('voice-unverified');
  const slider = (name: 'stability' | 'similarityBoost' | 'speed', label: string, hint: string) => (
    <Field label={label} optional hint={hint} {...failing(problem(name))}>
      <Input
        inputMode="decimal"
        value={draft[name]}
        placeholder="celle de la voix"
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  );
  return (
    <>
      <Field label="Texte à dire" required {...failing(problem('text', 'voice-length'))}>
        <Textarea
          rows={6}
          counter
          maxLength={data.cases.voice?.limits.textCharacters ?? 5000}
          value={draft.text}
          placeholder="Bonjour, et bienvenue chez Maison Lumen."
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
      </Field>
      {failure ? (
        <UnreadNotice failure={failure} onRetry={readAgain} choice={choice} />
      ) : desk?.listError ? (
        <Notice tone="warn">{desk.listError}</Notice>
      ) : null}
      {desk && !desk.ready ? (
        <Notice tone="warn">
          {typeof desk.missing === 'string'
            ? desk.missing
            : `La voix n’est pas réglée sur ce service. ${desk.missing?.map((part) => `${VOICE_PARTS[part].what}.`).join(' ')} La page Voix dit comment la régler.`}
        </Notice>
      ) : null}
      <div>
        <Field label="Voix" {...failing(gone ?? unverified)}>
          <Select
            ref={choice}
            value={draft.voiceId}
            onChange={(event) => change({ voiceId: event.currentTarget.value })}
          >
            <option value="">Voix par défaut</option>
            {draft.voiceId && !desk?.voices.some((voice) => voice.id === draft.voiceId) ? (
              <option value={draft.voiceId}>
                {desk?.ready && !desk.listError ? 'Voix absente de la bibliothèque' : draft.voiceId}
              </option>
            ) : null}
            {desk?.voices.map((voice) => (
              <option key={voice.id} value={voice.id}>
                {voice.name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {/* Opened by a refusal of a setting, which would otherwise be out of sight. */}
      <details
        className="group"
        open={settings || problem('stability', 'similarityBoost', 'speed') !== undefined}
        onToggle={(event) => setSettings(event.currentTarget.open)}
      >
        <summary className="cursor-pointer text-ink-soft text-sm hover:text-ink">Réglages de la voix</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-3">
          {slider('stability', 'Stabilité', 'De 0 à 1.')}
          {slider('similarityBoost', 'Ressemblance', 'De 0 à 1.')}
          {slider('speed', 'Vitesse', 'De 0,7 à 1,2.')}
        </div>
      </details>
      {chosen?.consentNeeded || unverified || draft.consentName || draft.consentDocument ? (
        <ConsentFields draft={draft} data={data} change={change} problem={problem} asked={asked} />
      ) : null}
      {desk?.quota ? (
        <Meter
          label="Caractères du compte de voix"
          used={desk.quota.used}
          total={desk.quota.limit}
          hint={
            desk.quota.isUncapped
              ? 'Au-delà, le fournisseur lit encore et facture à l’usage.'
              : 'Au-delà, la voix échoue et le montant retenu est remboursé.'
          }
        />
      ) : desk?.quotaError ? (
        <p className="text-ink-faint text-xs">{desk.quotaError}</p>
      ) : null}
    </>
  );
}

const VOICES = '/api/generations?kind=voice&status=done&limit=50';
const unread = (error: unknown) => failureOf(error, 'Les voix du journal n’ont pas pu être lues.');

/** The voice of the journal to synchronise, latest first, older ones on demand. The image or the clip is a reference. */
export function LipsyncFields({ draft, change, problem, asked }: FieldsProps) {
  const [voices, setVoices] = useState<GenerationView[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** The cursor of the older voices; null if there are none. */
  const [older, setOlder] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const choice = useRef<HTMLSelectElement>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again
  useEffect(() => {
    const stop = new AbortController();
    call<JournalAnswer>(VOICES, { signal: stop.signal })
      .then(({ generations, nextCursor }) => {
        setVoices(generations);
        setOlder(nextCursor);
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setFailure(unread(error));
      });
    return () => stop.abort();
  }, [attempt]);
  const readAgain = () => {
    setFailure(null);
    setAttempt(attempt + 1);
  };
  const readOlder = async (cursor: string, button: HTMLElement) => {
    setReading(true);
    setFailure(null);
    try {
      const { generations, nextCursor } = await call<JournalAnswer>(
        `${VOICES}&cursor=${encodeURIComponent(cursor)}`,
      );
      // The button may disappear: the focus moves to the list of voices.
      if (document.activeElement === button) choice.current?.focus();
      setVoices((before) => [...(before ?? []), ...generations]);
      setOlder(nextCursor);
    } catch (error) {
      setFailure(unread(error));
    }
    setReading(false);
  };
  const known = voices?.some((voice) => voice.id === draft.voiceGenerationId);
  const labels = voiceLabels(voices ?? []);
  return (
    <>
      <Field
        label="Voix du journal"
        required
        hint="Ajoutez ensuite un clip ou un visage dans les références, l’un des deux."
        {...failing(problem('voiceGenerationId'))}
      >
        <Select
          ref={choice}
          value={draft.voiceGenerationId}
          onChange={(event) => change({ voiceGenerationId: event.currentTarget.value })}
        >
          <option value="">{voices === null && !failure ? 'Recherche des voix…' : 'Choisir une voix'}</option>
          {draft.voiceGenerationId && !known ? (
            <option value={draft.voiceGenerationId}>Voix choisie</option>
          ) : null}
          {voices?.map((voice, at) => (
            <option key={voice.id} value={voice.id}>
              {labels[at]}
            </option>
          ))}
        </Select>
      </Field>
      {older === null ? null : (
        <div>
          <Button
            size="sm"
            variant="quiet"
            pending={reading}
            onClick={({ currentTarget }) => void readOlder(older, currentTarget)}
          >
            Chercher des voix plus anciennes
          </Button>
        </div>
      )}
      {failure ? (
        <UnreadNotice failure={failure} onRetry={voices === null ? readAgain : undefined} choice={choice} />
      ) : null}
      {voices?.length === 0 ? (
        <p className="text-ink-soft text-sm">
          Le journal n’a encore aucune voix.{' '}
          <Link href="/creer?type=voice" className="text-accent-ink underline">
            Créer une voix
          </Link>
        </p>
      ) : null}
      {problem('clip', 'character', 'case') ? (
        // Before the button is pressed, a missing clip or face is not an error.
        <p className={cx('text-sm', asked ? 'text-fail' : 'text-ink-soft')}>
          {problem('clip', 'character', 'case')}
        </p>
      ) : null}
    </>
  );
}
