import { START } from '../text/characters.js';
import { type SourcedRule, shape } from './shapes.js';

/** As it is, in JSON text that escapes it, and in a URL that stands in another. */
const SLASH = String.raw`(?:\\?\/|%2[Ff])`;
const COLON = '(?::|%3[Aa])';
const SAFE = '[A-Za-z0-9_-]';

/** A word with what may follow it where a slash does. */
const before = (word: string): readonly string[] => ['/', '\\', '%2F', '%2f'].map((sign) => `${word}${sign}`);

/**
 * URLs whose path is the credential. A request is recorded without its host, so that the path alone must tell, and the
 * forms are told closely: a path that is taken for one can no longer be told from another.
 */
export const webhooks = (): readonly SourcedRule[] => [
  shape({
    // As much as goes of the URL with its host, so that both are the same text to a replay.
    id: 'slack-webhook-path',
    pattern: `${START}(?:services|workflows|triggers)${SLASH}(?<secret>[TE][A-Z0-9]{7,12}${SLASH}(?:[AB][A-Z0-9]{7,12}${SLASH}(?:[0-9]{6,20}${SLASH})?|[0-9]{6,20}${SLASH})[A-Za-z0-9]{20,})`,
    hints: ['services', 'workflows', 'triggers'].flatMap(before),
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  }),
  shape({
    // The number before the colon is the id of the bot, which is no secret. Without `/bot`, its form is asked for.
    id: 'telegram-token',
    pattern: `(?:${SLASH}bot[0-9]{5,16}${COLON}|${START}(?:bot)?[0-9]{6,12}${COLON}(?=A${SAFE}{33,34}(?!${SAFE})))(?<secret>${SAFE}{30,})`,
    hints: ['/bot', '%2Fbot', '%2fbot', ':A', '%3AA', '%3aA'],
    source: 'https://core.telegram.org/bots/api#authorizing-your-bot',
  }),
  shape({
    id: 'discord-webhook',
    pattern: `${START}webhooks${SLASH}[0-9]{17,20}${SLASH}(?<secret>${SAFE}{40,})`,
    // Short, so that one stands near the token however long the id is.
    hints: before('hooks'),
    source: 'https://docs.discord.com/developers/resources/webhook',
  }),
  shape({
    id: 'teams-webhook',
    pattern: `${START}IncomingWebhook${SLASH}(?<secret>[0-9A-Fa-f]{32}(?:${SLASH}${SAFE}{8,}){0,2})`,
    hints: before('IncomingWebhook'),
    source: 'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
  }),
];
