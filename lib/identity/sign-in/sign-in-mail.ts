import type { Mail } from '#lib/core/mail/mail.ts';
import { escapeHtml } from '#lib/core/text/escape-html.ts';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';

const NBSP = '\u00a0';

function page(paragraphs: string[]): string {
  const body = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${paragraph}</p>`).join('');
  return `<!doctype html><html lang="fr"><body style="margin:0;padding:32px 16px;background:#f7f5f1;color:#1f1c17;font:16px/1.5 system-ui,sans-serif"><div style="max-width:440px;margin:0 auto">${body}</div></body></html>`;
}

/** The mail that carries a sign-in code. The code leads the subject, where a phone shows it whole. */
export function signInMail(input: { to: string; code: string }): Mail {
  return codeMail(input, {
    what: 'code de connexion',
    doubt: `Si vous n’avez rien demandé, ignorez ce message${NBSP}: sans le code, personne n’entre.`,
  });
}

/** The mail that carries the code by which somebody signed in proves, before a grave action, that it is them. */
export function verificationMail(input: { to: string; code: string }): Mail {
  return codeMail(input, {
    what: 'code de confirmation',
    doubt: `Si vous n’êtes pas en train d’agir dans Atelier, quelqu’un l’est dans une session à votre nom${NBSP}: ne donnez ce code à personne, et choisissez «${NBSP}Se déconnecter partout${NBSP}» dans «${NBSP}Mon compte${NBSP}».`,
  });
}

function codeMail(input: { to: string; code: string }, words: { what: string; doubt: string }): Mail {
  const shown = `${input.code.slice(0, 3)}${NBSP}${input.code.slice(3)}`;
  const lines = [
    `Votre ${words.what} à Atelier${NBSP}:`,
    'Il est valable dix minutes, une seule fois. Seul le dernier code reçu fonctionne.',
    `Personne chez nous ne vous le demandera. ${words.doubt}`,
  ];
  return {
    to: input.to,
    subject: `${shown} est votre ${words.what} à Atelier`,
    text: `${lines[0]}\n\n    ${input.code}\n\n${lines[1]}\n\n${lines[2]}\n`,
    html: page([
      lines[0] as string,
      `<span style="font:600 32px/1.2 ui-monospace,monospace;letter-spacing:4px">${input.code}</span>`,
      lines[1] as string,
      `<span style="color:#57514a;font-size:14px">${lines[2]}</span>`,
    ]),
    terminal: `${words.what.replace('c', 'C')} pour ${input.to}${NBSP}: ${input.code} (10 minutes)`,
  };
}

/** The mail that tells a member that a browser never seen before signed in with a code sent to them. */
export function newBrowserMail(input: { to: string; name: string; browser: string; at: Date }): Mail {
  const at = new Intl.DateTimeFormat('fr-FR', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Europe/Paris',
  });
  const lines = [
    `Bonjour ${input.name.replace(/\s+/g, ' ').trim()},`,
    `Une connexion à Atelier vient d’être ouverte depuis un navigateur que nous ne connaissions pas${NBSP}: ${input.browser}, le ${ordinalDay(at, input.at)} (heure de Paris).`,
    'Si c’est vous, il n’y a rien à faire. Sinon, fermez cette session dans «\u00a0Mon compte\u00a0» et changez le mot de passe de votre messagerie\u00a0: c’est elle qui reçoit les codes.',
  ];
  return {
    to: input.to,
    subject: 'Nouvelle connexion à Atelier',
    text: `${lines.join('\n\n')}\n`,
    html: page(lines.map(escapeHtml)),
    terminal: `Nouvelle connexion annoncée à ${input.to}`,
  };
}

/** The mail that tells someone they were invited into an account. */
export function invitationMail(input: {
  to: string;
  name: string;
  inviter: string;
  accountName: string;
  signInUrl: string;
}): Mail {
  const [name, inviter, accountName] = [input.name, input.inviter, input.accountName].map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  );
  const hello = `Bonjour ${name},`;
  const what = `${inviter} vous invite à rejoindre «${NBSP}${accountName}${NBSP}» sur Atelier.`;
  const how = `Ouvrez la page de connexion et donnez cette adresse e-mail${NBSP}: un code à six chiffres vous sera envoyé, puis vous choisirez de rejoindre ce compte ou non, dans les sept jours. Il n’y a pas de mot de passe à choisir. Si cette invitation ne vous dit rien, ignorez ce message.`;
  const url = escapeHtml(input.signInUrl);
  return {
    to: input.to,
    subject: `${inviter} vous invite sur Atelier`,
    text: `${hello}\n\n${what}\n\n${how}\n\n${input.signInUrl}\n`,
    html: page([
      escapeHtml(hello),
      escapeHtml(what),
      escapeHtml(how),
      `<a href="${url}" style="color:#3d31b8">${url}</a>`,
    ]),
    terminal: `Invitation envoyée à ${input.to}${NBSP}: ${input.signInUrl}`,
  };
}
