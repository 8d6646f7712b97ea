import { describe, expect, it } from 'vitest'
import { outsideKinds, topicOf } from '../../../shared/notifications.ts'
import { payloadFor } from './payload.ts'
import type { OutsideMessage } from './types.ts'

const message: OutsideMessage = {
  id: 'n1',
  class: 'needs-you',
  title: 'api needs you',
  body: 'Asks to run “rm -rf build”',
  at: Date.UTC(2026, 10, 23, 12),
  session: { id: 's1', name: 'api' },
  more: 0,
}
const sentTo = (kind: (typeof outsideKinds)[number], url: string, over: Partial<OutsideMessage> = {}) => {
  const { body, ...rest } = payloadFor(kind, { url, token: null }, { ...message, ...over }, '1.2.3')
  const parsed: unknown = JSON.parse(body)
  return { ...rest, body: parsed }
}

describe('what is sent', () => {
  it('is plain JSON for a webhook', () => {
    const { url, headers, body } = sentTo('webhook', 'http://127.0.0.1:9000/hook?k=1')
    expect(url).toBe('http://127.0.0.1:9000/hook?k=1')
    expect(headers).toEqual({ 'content-type': 'application/json', 'user-agent': 'onward/1.2.3' })
    expect(body).toEqual({
      event: 'notification',
      id: 'n1',
      class: 'needs-you',
      title: 'api needs you',
      body: 'Asks to run “rm -rf build”',
      at: '2026-11-23T12:00:00.000Z',
      session: { id: 's1', name: 'api' },
      more: 0,
      onward: '1.2.3',
    })
  })

  it('goes to the root of an ntfy server, with the topic in it', () => {
    const { url, body } = sentTo('ntfy', 'https://push.example.org/ntfy/my-topic')
    expect(url).toBe('https://push.example.org/ntfy/')
    expect(body).toEqual({
      topic: 'my-topic',
      title: 'api needs you',
      message: 'Asks to run “rm -rf build”',
      priority: 4,
      tags: ['question'],
    })
    // An empty message would read “triggered”.
    expect(sentTo('ntfy', 'https://ntfy.sh/t', { body: '' }).body).toMatchObject({ message: 'api needs you' })
  })

  it('calls nobody in Slack and draws no markup', () => {
    expect(sentTo('slack', 'https://hooks.slack.com/x', { body: '<!channel> a & b *c*' }).body).toEqual({
      text: 'api needs you\n&lt;!channel&gt; a &amp; b *c*',
      mrkdwn: false,
    })
  })

  it('mentions nobody in Discord and stays within its bounds', () => {
    const { body } = sentTo('discord', 'https://discord.com/api/webhooks/1/x', {
      body: '@everyone **b** [l](http://x)',
    })
    expect(body).toEqual({
      content: 'api needs you\n\\@everyone \\*\\*b\\*\\* \\[l\\]\\(http\\://x\\)',
      allowed_mentions: { parse: [] },
      flags: 4,
    })
  })

  it.each(outsideKinds)('is bounded for %s, whatever it holds', (kind) => {
    for (const sign of ['*', '字', '😀', '&']) {
      const long = sign.repeat(9_000)
      const { body } = payloadFor(
        kind,
        { url: 'https://ntfy.sh/t', token: 'tk_1' },
        { ...message, title: long.slice(0, 200), body: kind === 'webhook' ? 'x' : long },
        '1',
      )
      expect(Buffer.byteLength(body)).toBeLessThan(kind === 'slack' ? 40_000 : 8_000)
      const content: unknown = JSON.parse(body).content
      if (typeof content === 'string') expect(content.length).toBeLessThanOrEqual(2_000)
      const text: unknown = JSON.parse(body).message
      if (typeof text === 'string') expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096)
    }
  })

  it.each([
    ['webhook', { link: 'https://desk.example:5521/dashboard/#/session/s1' }],
    ['ntfy', { click: 'https://desk.example:5521/dashboard/#/session/s1' }],
    ['slack', { text: expect.stringMatching(/build”\nhttps:\/\/desk\.example:5521\/dashboard\/#\/session\/s1$/) }],
    ['discord', { content: expect.stringMatching(/\nhttps:\/\/desk\.example:5521\/dashboard\/#\/session\/s1$/) }],
  ] as const)('leads to the session where phones reach the dashboard: %s', (kind, expected) => {
    const link = 'https://desk.example:5521/dashboard/#/session/s1'
    const { body } = payloadFor(kind, { url: 'https://ntfy.sh/t', token: null }, message, '1', link)
    expect(JSON.parse(body)).toMatchObject(expected)
  })

  it('carries a token as a bearer', () => {
    const { headers } = payloadFor('ntfy', { url: 'https://ntfy.sh/t', token: 'tk_1' }, message, '1')
    expect(headers['authorization']).toBe('Bearer tk_1')
  })
})

it.each([
  ['https://ntfy.sh/my-topic', { server: 'https://ntfy.sh/', topic: 'my-topic' }],
  ['http://10.0.0.5:8080/a/b/', { server: 'http://10.0.0.5:8080/a/', topic: 'b' }],
  ['https://ntfy.sh/', null],
  ['https://ntfy.sh/two%20words', null],
  ['no address', null],
])('the topic of %s', (url, topic) => {
  expect(topicOf(url)).toEqual(topic)
})
