import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { NoticeFact } from '../../../../shared/sentences/types.ts'
import { OnwardError } from '../../base/errors.ts'
import { systemRandom } from '../../base/ids.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { PublicPost } from '../../web/post-public.ts'
import type { OutsideNotice } from '../outside.ts'
import { subscriber } from '../testing/subscriber.ts'
import { newVapidKeys } from './encrypt.ts'
import { createPush, type PushDeps, type PushDevice } from './push.ts'

const needsYou = (what = 'permission: rm -rf build'): NoticeFact => ({ class: 'needs-you', what, name: 'billing' })
const notice = (fact: NoticeFact = needsYou(), session = 's1'): OutsideNotice => ({
  id: 'n1',
  fact,
  where: { sessionId: session, name: 'billing', about: { kind: 'session', id: session }, agent: 'codex' },
})

function scene(answer: (post: PublicPost) => number | OnwardError = () => 201) {
  const clock = virtualClock(Date.UTC(2026, 10, 28))
  const phone = subscriber()
  const sent: (PublicPost & { said: Record<string, unknown> })[] = []
  const recorded: EventBody[] = []
  const dropped: string[] = []
  const target = { endpoint: 'https://push.example.net/send/abc', ...phone.keys }
  const pocket: PushDevice = { id: 'd1', name: 'Pocket', here: false, push: target }
  let devices: readonly PushDevice[] = [pocket]
  const wanted: ReturnType<PushDeps['wanted']> = { texts: false }
  const keys = newVapidKeys()
  const push = createPush({
    devices: () => devices,
    drop: (id, endpoint) => {
      dropped.push(`${id} ${endpoint}`)
      devices = []
    },
    keys: async () => keys,
    web: {
      check: async () => undefined,
      async post(what) {
        sent.push({ ...what, said: JSON.parse(phone.read(what.body).toString()) as Record<string, unknown> })
        const said = answer(what)
        if (typeof said !== 'number') throw said
        return { status: said, headers: {}, body: '' }
      },
    },
    wanted: () => wanted,
    machine: 'desk',
    clock,
    random: systemRandom(),
    language: () => 'en',
    record: (_where, body) => void recorded.push(body),
    onChange() {},
  })
  const become = (more: Partial<PushDevice> | null) => (devices = more ? [{ ...pocket, ...more }] : [])
  return { clock, push, sent, recorded, dropped, wanted, become }
}

describe('a notice to a paired device', () => {
  it('says which agent of which machine asks, and no text, in bytes that only its browser reads', async () => {
    const { clock, push, sent, recorded } = scene()
    push.tell(notice())
    await clock.advance(0)
    expect(sent).toHaveLength(1)
    const [{ url, headers, body, said } = { url: '', headers: {}, body: Buffer.alloc(0), said: {} }] = sent
    expect(url).toBe('https://push.example.net/send/abc')
    expect(said).toEqual({ title: 'billing needs you', body: expect.any(String), tag: 's1', to: '/session/s1' })
    expect(said['body']).toMatch(/^codex, desk\n/)
    expect(JSON.stringify(said)).not.toContain('rm -rf')
    expect(body.toString('latin1')).not.toContain('billing')
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
    expect(headers['authorization']).toMatch(/^vapid t=[\w.-]+, k=[\w-]{87}$/)
    expect(headers['topic']).toMatch(/^[\w-]{32}$/)
    expect(recorded).toEqual([{ type: 'notified', class: 'needs-you', to: 'Pocket', result: 'shown' }])
  })

  it('names the contact of the config to the push service, and without one nobody', async () => {
    const { clock, push, sent, wanted } = scene()
    push.tell(notice())
    await clock.advance(5_000)
    wanted.contact = 'https://desk.example.org/about'
    push.tell(notice())
    await clock.advance(5_000)
    const subs = sent.map(({ headers }) => {
      const claims = (headers['authorization'] ?? '').split('.')[1] ?? ''
      return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: unknown }).sub
    })
    expect(subs).toEqual(['mailto:onward@example.com', 'https://desk.example.org/about'])
  })

  it('has the texts where the config allows it, and only the classes that it names', async () => {
    const { clock, push, sent, wanted } = scene()
    Object.assign(wanted, { texts: true, classes: ['needs-you'] })
    push.tell(notice())
    push.tell(notice({ class: 'injection-failed', reason: { code: 'agent-gone' }, name: 'billing' }))
    await clock.advance(5_000)
    expect(sent.map(({ said }) => said['body'])).toEqual([expect.stringContaining('rm -rf build')])
  })

  it('comes once for each question, and is replaced under its tag when it is answered elsewhere', async () => {
    const { clock, push, sent, recorded } = scene()
    push.tell(notice())
    await clock.advance(2_000)
    push.over('s2')
    push.over('s1')
    push.over('s1')
    await clock.advance(5_000)
    expect(sent.map(({ said }) => [said['title'], said['tag'], said['over']])).toEqual([
      ['billing needs you', 's1', undefined],
      ['billing asks nothing any more', 's1', true],
    ])
    // a phone without a network gets the second only
    expect(sent[1]?.headers['topic']).toBe(sent[0]?.headers['topic'])
    expect(recorded).toHaveLength(1)
  })

  it('is taken away by the page itself where that is connected', async () => {
    const { clock, push, sent, become } = scene()
    push.tell(notice())
    await clock.advance(2_000)
    become({ here: true })
    push.over('s1')
    await clock.advance(5_000)
    expect(sent).toHaveLength(1)
  })

  it.each([404, 410])('ends the subscription that its service answers with %i', async (status) => {
    const { clock, push, sent, dropped } = scene(() => status)
    push.tell(notice())
    await clock.advance(0)
    expect(dropped).toEqual(['d1 https://push.example.net/send/abc'])
    push.tell(notice())
    await clock.advance(60 * 60_000)
    expect(sent).toHaveLength(1)
    expect(push.views()).toEqual([])
  })

  it('is tried again where the service has trouble, and not where the address is no public one', async () => {
    const down = scene(() => 503)
    down.push.tell(notice())
    await down.clock.advance(60 * 60_000)
    expect(down.sent).toHaveLength(5)
    const inside = scene(() => new OnwardError('address-refused', 'it is not a public address'))
    inside.push.tell(notice())
    await inside.clock.advance(60 * 60_000)
    expect(inside.sent).toHaveLength(1)
    expect(inside.recorded).toMatchObject([{ result: 'failed', why: expect.stringContaining('not a public address') }])
  })

  it('goes to no device that was revoked meanwhile, or that switched it off', async () => {
    const { clock, push, sent, become } = scene(() => 503)
    push.tell(notice())
    await clock.advance(0)
    become(null)
    push.views()
    await clock.advance(60 * 60_000)
    expect(sent).toHaveLength(1)
  })

  it('fits a push service, however long it is', async () => {
    const { clock, push, sent, wanted } = scene()
    wanted.texts = true
    push.tell(notice({ class: 'proxy-error', message: '字'.repeat(9_000) }))
    await clock.advance(0)
    expect(sent[0]?.body.length).toBeLessThanOrEqual(4096)
  })
})

it('a device is a place like others: listed without its address, and tested by its name', async () => {
  const { push, sent } = scene()
  expect(push.views()).toMatchObject([{ name: 'Pocket', kind: 'push', host: 'push.example.net', on: true }])
  expect(JSON.stringify(push.views())).not.toContain('abc')
  expect(await push.test('Pocket')).toMatchObject({ ok: true })
  expect(sent[0]?.said).toMatchObject({ title: 'Onward can reach you here', to: '/' })
  expect(push.test('Tablet')).toBeNull()
})
