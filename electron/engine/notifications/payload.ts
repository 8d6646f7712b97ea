import { topicOf, type OutsideKind } from '../../../shared/notifications.ts'
import type { OutsideAddress, OutsideMessage } from './types.ts'

export interface OutsideRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** The requests of each service, in the form and within the bounds of its own documentation. */
export function payloadFor(
  kind: OutsideKind,
  { url, token }: OutsideAddress,
  message: OutsideMessage,
  version: string,
  link: string | null = null,
): OutsideRequest {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    // Discord's front turns away callers that don't say who they are.
    'user-agent': `onward/${version}`,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  const send = (body: unknown, to = url): OutsideRequest => ({ url: to, headers, body: JSON.stringify(body) })
  const { title, body } = message
  // Slack and Discord make a link of it by themselves.
  const under = link === null ? '' : `\n${link}`
  switch (kind) {
    case 'webhook':
      return send({
        event: 'notification',
        id: message.id,
        class: message.class,
        title,
        body,
        at: new Date(message.at).toISOString(),
        session: message.session,
        more: message.more,
        ...(link === null ? {} : { link }),
        onward: version,
      })
    case 'ntfy': {
      const place = topicOf(url)
      // Published as JSON a title may hold any script, which a header may not; JSON goes to the server's root.
      return send(
        {
          topic: place?.topic,
          title: cut(title, 250),
          // Beyond 4 096 bytes it becomes an attachment.
          message: cut(body === '' ? title : body, 1_000),
          priority: urgent.has(message.class) ? 4 : 3,
          tags: [tags[message.class]],
          ...(link === null ? {} : { click: link }),
        },
        place?.server ?? url,
      )
    }
    case 'slack':
      return send({ text: forSlack(lines(title, body, 3_000)) + under, mrkdwn: false })
    case 'discord':
      return send({
        // At most 2 000 characters, escapes included.
        content: cut(forDiscord(lines(title, body, 900)), 2_000 - under.length) + under,
        allowed_mentions: { parse: [] },
        // no previews of links
        flags: 4,
      })
  }
}

const urgent: ReadonlySet<string> = new Set(['needs-you', 'injection-failed', 'budget', 'alarm-due', 'proxy-error'])
/** short codes that ntfy draws as a sign */
const tags: Readonly<Record<OutsideMessage['class'], string>> = {
  'goal-reached': 'white_check_mark',
  'needs-you': 'question',
  'injection-failed': 'warning',
  'held-long': 'hourglass',
  budget: 'moneybag',
  limit: 'stopwatch',
  'alarm-due': 'alarm_clock',
  'alarm-missed': 'alarm_clock',
  'proxy-error': 'warning',
  'quiet-over': 'sunrise',
  test: 'bell',
}

const cut = (text: string, most: number): string => {
  const signs = Array.from(text)
  return signs.length <= most && text.length <= most ? text : `${signs.slice(0, Math.floor(most / 2)).join('')}…`
}
const lines = (title: string, body: string, most: number): string =>
  cut(body === '' ? title : `${title}\n${body}`, most)
/** `<!channel>` would call everybody. */
const forSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const forDiscord = (text: string): string => text.replace(/[\\*_~`|>#[\]()<@:-]/g, String.raw`\$&`)
