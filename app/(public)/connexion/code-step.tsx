'use client';
import { type ReactNode, useEffect, useState } from 'react';
import { CodeForm } from '#app/_ui/form/code-form.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { askForCode, changeAddress, enterCode } from './actions.ts';

/** A second code may be asked for after this time: mail is rarely slower. */
const RESEND_AFTER_SECONDS = 30;

type Props = { email: string; sentAt: string; now: string; back: string; outbox: boolean };

/** The second step: the code, typed, pasted or filled in by the phone; sent by itself once whole. */
export function CodeStep({ email, sentAt, now, back, outbox }: Props) {
  return (
    <section>
      <h1 className="font-semibold text-xl tracking-tight">Entrez le code</h1>
      <p className="wrap-anywhere mt-1 mb-6 text-ink-soft">
        Si <strong className="font-medium text-ink">{email}</strong> a accès à Atelier, un code vient d’y être
        envoyé. Il est valable dix minutes.
      </p>
      <CodeForm key={sentAt} action={enterCode} submit="Se connecter">
        <input type="hidden" name="retour" value={back} />
      </CodeForm>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Resend key={sentAt} email={email} sentAt={sentAt} now={now} back={back} />
        <SmallForm action={changeAddress} back={back}>
          Changer d’adresse
        </SmallForm>
      </div>
      {outbox ? (
        <Notice tone="info" className="mt-8">
          Hors production, le code est aussi dans le terminal du serveur, et dans la boîte d’envoi dont
          l’adresse y est écrite au démarrage.
        </Notice>
      ) : null}
    </section>
  );
}

function Resend({ email, sentAt, now, back }: { email: string; sentAt: string; now: string; back: string }) {
  const [moment, setMoment] = useState(Date.parse(now));
  useEffect(() => {
    setMoment(Date.now());
    const timer = setInterval(() => setMoment(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((Date.parse(sentAt) - moment) / 1000) + RESEND_AFTER_SECONDS;
  if (left > 0)
    return (
      <p className="tabular flex h-8 items-center text-ink-faint text-sm">
        Renvoyer un code dans {Math.min(left, RESEND_AFTER_SECONDS)}&nbsp;s
      </p>
    );
  return (
    <SmallForm action={askForCode} back={back} email={email}>
      Renvoyer un code
    </SmallForm>
  );
}

function SmallForm({
  action,
  back,
  email,
  children,
}: {
  action: Parameters<typeof Form>[0]['action'];
  back: string;
  email?: string;
  children: ReactNode;
}) {
  return (
    <Form action={action}>
      <input type="hidden" name="retour" value={back} />
      {email ? <input type="hidden" name="email" value={email} /> : null}
      <SubmitButton variant="quiet" size="sm" className="-mx-2.5">
        {children}
      </SubmitButton>
    </Form>
  );
}
