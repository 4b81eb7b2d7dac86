import type { StrangerBrand } from './brand.ts';

/** A vendor of software for companies, half in French and half in English. */
export const SOFTWARE: StrangerBrand = {
  space: 'Clausio',
  memories: [
    [
      'pitch',
      'IDENTITY',
      'Elevator pitch',
      'Clausio is the contract workspace for mid-size legal teams: draft, negotiate, sign and renew in one place. Founded in Lyon in 2018 by Ingrid Solal and Teddy Marchand. 640 customers in 14 countries, 92 people, series B of 18 M€ led by Partech (June 2024).',
    ],
    [
      'plans',
      'ITEMS',
      'Tarifs et plans',
      `| Plan | Prix / utilisateur / mois | Contrats | Support | SSO |
| --- | --- | --- | --- | --- |
| Start | 29 € | 200 | e-mail, J+1 | non |
| Team | 49 € | 2 000 | chat, 4 h | en option (+150 €/mois) |
| Enterprise | sur devis | illimité | téléphone, 1 h, 24/7 | oui |

Engagement annuel. -15 % pour les associations et l'enseignement. Pas de remise sur Start. Essai gratuit de 14 jours, sans carte bancaire.`,
    ],
    [
      'securite',
      'KNOWLEDGE',
      'Sécurité et hébergement',
      'Données hébergées en France chez OVHcloud (Roubaix et Gravelines), sauvegarde chiffrée toutes les 6 heures, conservée 35 jours. Chiffrement AES-256 au repos, TLS 1.3 en transit. ISO 27001 depuis mars 2023, SOC 2 Type II en cours (rapport attendu au T3 2026). Pas de HDS : ne pas vendre aux hôpitaux pour des dossiers de santé. Pentest annuel par Synacktiv.',
    ],
    [
      'sla',
      'KNOWLEDGE',
      'SLA and uptime',
      '99.9 % monthly uptime on Team, 99.95 % on Enterprise. Credits: 5 % of the monthly fee per started hour of downtime, capped at 30 %. Maintenance windows: Sunday 22:00-02:00 CET, announced five days ahead, not counted. Status page: status.clausio.example. RPO 6 h, RTO 4 h.',
    ],
    [
      'roadmap',
      'KNOWLEDGE',
      'Roadmap publique S2 2026',
      `- Juillet : redlining dans Word (add-in), GA
- Septembre : clause library multilingue (FR, EN, DE, ES)
- Octobre : connecteur Salesforce v3, fin du support de la v1
- Novembre : AI review, beta privée avec 20 clients
Ne jamais promettre de date à un prospect : dire « prévu au second semestre ». Pas d'app mobile prévue.`,
    ],
    [
      'integrations',
      'KNOWLEDGE',
      'Intégrations',
      "Natives : Salesforce, HubSpot, DocuSign, Yousign, SharePoint, Google Drive, Slack, Teams. Via API REST (OAuth 2.0, 600 requêtes/min) : tout le reste. Pas d'intégration avec SAP Ariba. Webhooks disponibles à partir du plan Team. Zapier : 14 triggers. SCIM seulement en Enterprise.",
    ],
    [
      'voice',
      'GUIDELINES',
      'Brand voice chart',
      `| We are | We are not | Exemple |
| --- | --- | --- |
| Clear | Jargony | « signé en 2 jours » plutôt que « time-to-signature optimisé » |
| Dry-witted | Goofy | un trait d'humour par article, jamais dans un mail d'incident |
| Precise | Pushy | un chiffre, une source |

FR : vouvoiement, pas d'anglicisme si le mot français existe (« échéance », pas « deadline ») ; on garde workflow, redlining, add-in. EN: British spelling, sentence case in headings. We never say "revolutionise" or "AI-powered".`,
    ],
    [
      'incident',
      'KNOWLEDGE',
      'Communiquer pendant un incident',
      'First update within 20 minutes on the status page, then every 30 minutes until solved. Ton factuel, sans humour. Dire ce qui marche encore. Ne pas nommer le fournisseur en cause. Post-mortem publié sous 5 jours ouvrés, signé par Teddy Marchand (CTO). Les clients Enterprise sont appelés par leur CSM.',
    ],
    [
      'incident-fevrier',
      'KNOWLEDGE',
      'Incident du 11 février 2026',
      "Panne de 3 h 12 (de 9 h 04 à 12 h 16), signature électronique indisponible. Cause : certificat expiré chez un prestataire. 212 clients touchés, aucun contrat perdu. Avoirs émis : 41 300 €. Mesure prise : alerte 30 jours avant l'expiration de tout certificat. Ne pas en parler spontanément ; répondre si on demande.",
    ],
    [
      'concurrents',
      'KNOWLEDGE',
      'Battlecard : Clausio vs LegalDock',
      "LegalDock est moins cher (19 €/user) mais héberge aux États-Unis, n'a ni SSO ni piste d'audit, et facture l'API. Ils gagnent sur le mobile. Question à poser au prospect : « Où sont vos contrats quand on vous les demande en audit ? » Ne jamais dénigrer. Win rate contre eux : 61 % (T1 2026).",
    ],
    [
      'case-norelia',
      'KNOWLEDGE',
      'Customer story: Norelia',
      "Norelia (chimie, 2 400 salariés, Strasbourg) signs 1,900 contracts a year. Before Clausio: 23 days from draft to signature. After: 9 days. Legal headcount unchanged. Quote from Sabine Weiss, General Counsel: “I stopped being a bottleneck.” Logo et citation autorisés jusqu'au 31/12/2027.",
    ],
    [
      'onboarding',
      'KNOWLEDGE',
      'Onboarding client',
      "Semaine 1 : kick-off, import des contrats (CSV ou zip, 5 Go max). Semaine 2 : paramétrage des circuits de validation. Semaine 3 : formation, deux sessions de 90 min. Semaine 4 : go-live. L'import de plus de 10 000 contrats est facturé 1 800 €. Responsable : Farah Benali, head of customer success.",
    ],
    [
      'rgpd',
      'KNOWLEDGE',
      'RGPD et DPA',
      "Clausio est sous-traitant au sens de l'article 28. Le DPA est annexé aux CGV ; on ne signe pas celui du client sous 50 k€ d'ARR. Liste des sous-traitants ultérieurs : OVHcloud, Yousign, Postmark, Zendesk. Préavis de 30 jours pour tout ajout. DPO : Me Anaïs Courtois, dpo@clausio.example. Suppression des données 60 jours après la fin du contrat.",
    ],
    [
      'resiliation',
      'KNOWLEDGE',
      'Résilier un abonnement',
      "Le client résilie par lettre recommandée ou depuis Paramètres > Facturation, au moins 60 jours avant l'échéance. Sans cela, reconduction tacite de 12 mois. Pas de remboursement au prorata. L'export complet (PDF + JSON) reste possible 60 jours. L'équipe rétention (Jules Amar) a 48 h pour appeler.",
    ],
    [
      'icp',
      'KNOWLEDGE',
      'Ideal customer profile',
      "200 à 5 000 salariés, 3 à 25 juristes, industrie, énergie, BTP, retail. Buyer : directeur juridique ; champion : legal ops ; bloqueur : DSI. Pas de cabinets d'avocats (pas le bon produit), pas de secteur public (marchés trop longs). Panier moyen : 21 k€ d'ARR. Cycle de vente : 74 jours.",
    ],
    [
      'couleurs',
      'GUIDELINES',
      'Visual identity',
      'Primary: Ink #14213D. Accent: Coral #FF6B5B, at most 10 % of the surface. Background: Paper #FAF8F5. Font: Söhne, fallback Inter. Icons: 1.5 px stroke, rounded caps. Screenshots are shown with fictitious data only. No stock photos of handshakes.',
    ],
  ],
  questions: [
    ['question', 'Combien coûte le plan Team ?', 'plans'],
    ['question', 'Où sont hébergées les données ?', 'securite'],
    ['question', 'What is the uptime commitment on Enterprise?', 'sla'],
    ['question', 'Sommes-nous certifiés HDS ?', 'securite'],
    ['question', 'Does Clausio integrate with SAP Ariba?', 'integrations'],
    ['question', 'Qui est notre DPO ?', 'rgpd'],
    ['question', 'Quand sort le redlining dans Word ?', 'roadmap'],
    ['other form', 'Un client veut résilier, que faut-il lui dire ?', 'resiliation'],
    ['other form', 'Comment importe-t-on dix mille contrats ?', 'onboarding'],
    ['other form', 'Est-ce que les données sont chiffrées ?', 'securite'],
    ['other form', 'Why do we win against LegalDock?', 'concurrents'],
    ['other form', 'Le contrat est-il reconduit tacitement ?', 'resiliation'],
    ['other form', 'peut-on rembourser un client qui part ?', 'resiliation'],
    ['other form', 'how long are backups kept', 'securite'],
    ['figure or date', 'panne du 11/02', 'incident-fevrier'],
    ['figure or date', 'T3 2026 rapport SOC2', 'securite'],
    ['figure or date', 'disponibilité 99,9%', 'sla'],
    ['figure or date', '30 days notice for a new subprocessor', 'rgpd'],
    ['figure or date', 'levée de 18 millions', 'pitch'],
    ['typo', 'connecteur salseforce', 'roadmap', 'integrations'],
    ['typo', 'resiliation abonement', 'resiliation'],
    ['typo', 'hebergement donees', 'securite'],
    ['synonym', 'Combien de temps dure la période d’essai ?', 'plans'],
    ['synonym', 'Existe-t-il une application mobile ?', 'roadmap', 'concurrents'],
    ['synonym', 'authentification unique (SSO) sur le plan Start', 'plans'],
    ['follow-up', 'and on the Team plan?', 'sla', 'plans'],
    ['follow-up', 'Et pour les associations ?', 'plans'],
    ['two topics', 'Ton à prendre pour communiquer sur une panne', 'incident', 'voice'],
    ['two topics', 'prix du SSO et du SCIM', 'plans', 'integrations'],
    ['prompt', 'Écris un post LinkedIn sur Norelia, en anglais', 'case-norelia', 'voice'],
    ['prompt', 'Write a follow-up email to a prospect who compares us with LegalDock', 'concurrents'],
    [
      'prompt',
      'Rédige le message de la page de statut pour une coupure de la signature électronique',
      'incident',
      'incident-fevrier',
    ],
    ['no answer', 'Quel est notre taux de churn ?'],
    ['no answer', 'Who is the CFO?'],
  ],
};
