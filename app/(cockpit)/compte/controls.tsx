'use client';
import { useState } from 'react';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { forgetOnceOut } from '#app/_cockpit/forget-once-out.ts';
import { Checkbox, SegmentedControl } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { ShownInput } from '#app/_ui/form/shown-input.tsx';
import { applyTheme, THEMES, type Theme, themeFrom } from '#app/_ui/theme.ts';
import { useTheme } from '#app/_ui/use-theme.ts';
import { closeSession, saveProfile, signOutEverywhere } from './actions.ts';

export function ProfileForm({ name }: { name: string }) {
  // The name shown at first, then the stored one: the page may be refreshed while the member is typing.
  const [shown, setShown] = useState(name);
  return (
    <Form
      action={saveProfile}
      onDone={({ data }) => setShown(data?.name ?? shown)}
      className="flex max-w-xl flex-wrap items-start gap-3"
    >
      <ShownInput shown={{ name: shown }} />
      <Field label="Nom" name="name" hideLabel required className="grow basis-56">
        <Input defaultValue={shown} autoComplete="name" />
      </Field>
      <SubmitButton>Enregistrer</SubmitButton>
    </Form>
  );
}

const LABELS: Record<Theme, string> = { system: 'Système', light: 'Clair', dark: 'Sombre' };

export function ThemeChoice({ theme: kept }: { theme: Theme }) {
  const theme = useTheme(kept);
  return (
    <SegmentedControl
      label="Thème"
      name="theme"
      options={THEMES.map((value) => ({ value, label: LABELS[value] }))}
      value={theme}
      onChange={(value) => applyTheme(themeFrom(value))}
    />
  );
}

export function SessionEnd({ sessionId, browser }: { sessionId: string; browser: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Fermer"
      about={`la session\u00a0: ${browser}`}
      confirm="Fermer la session"
      title="Fermer cette session&nbsp;?"
      call={() => closeSession({ sessionId })}
    >
      <p>
        {browser} devra demander un nouveau code pour revenir. Ce qui y était en cours de saisie ne sera pas
        enregistré.
      </p>
    </ConfirmCall>
  );
}

export function SignOutEverywhere() {
  const [withCredentials, setWithCredentials] = useState(false);
  return (
    <ConfirmCall
      label="Se déconnecter partout"
      title="Se déconnecter partout&nbsp;?"
      variant="secondary"
      call={() => forgetOnceOut(signOutEverywhere({ withCredentials }))}
    >
      <p>Toutes vos sessions se ferment, dans tous vos comptes, celle-ci comprise.</p>
      <Checkbox
        className="mt-4"
        checked={withCredentials}
        onChange={(event) => setWithCredentials(event.currentTarget.checked)}
        label="Révoquer aussi mes clés, mes applications et mes clés d’accès, retirer mes partages et arrêter mes envois d’événements"
        hint="Si quelqu’un est entré à votre place&nbsp;: il a pu en laisser. Vos programmes s’arrêteront jusqu’à ce que vous leur donniez une nouvelle clé, vous entrerez par un code, les liens que vous avez donnés ne s’ouvriront plus, et les adresses que vous avez abonnées ne recevront plus rien jusqu’à ce que vous repreniez les envois."
      />
    </ConfirmCall>
  );
}
