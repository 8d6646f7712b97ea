/** The certificate that phones see: a person's own, one of Tailscale's, or one that the home signs itself. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/parse-json.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { selfSigned, type Certificate } from '../base/network/self-signed.ts'
import type { Files } from '../store/types.ts'
import type { Tailscale } from '../discovery/tailscale.ts'

/** As in the config. `host` may be `tailscale`. */
export interface PhonePlace {
  host: string
  port: number
  cert?: string | undefined
  key?: string | undefined
  name?: string | undefined
}

export interface PhoneCertificate extends Certificate {
  /** the address to listen at */
  host: string
  /** what links call it */
  name: string
  /** to be compared where no authority vouches for it; null: browsers take it by itself */
  fingerprint: string | null
  /** after so long it may be another one */
  againMs: number
}

export interface PhoneCertificateDeps {
  home: string
  files: Pick<Files, 'read' | 'writeAtomic'>
  tailscale: Tailscale
  clock: Pick<Clock, 'now'>
  random: Random
  log: Log
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Safari wants no longer ones */
const validMs = 800 * dayMs
const marginMs = 30 * dayMs
const kept = z.object({ key: z.string(), cert: z.string() })

/** @throws OnwardError `certificate-…` | `tailscale-…` */
export function phoneCertificate(place: PhonePlace, deps: PhoneCertificateDeps): Promise<PhoneCertificate> {
  if (place.cert !== undefined) return own(place, place.cert, deps)
  return place.host === 'tailscale' ? fromTailscale(deps) : ofHome(place.host, deps)
}

async function own(place: PhonePlace, path: string, deps: PhoneCertificateDeps): Promise<PhoneCertificate> {
  const { home, files, clock, tailscale } = deps
  const read = async (file: string): Promise<string> => {
    const at = resolve(home, file)
    const bytes = await files.read(at).catch((error: unknown) => {
      throw bad('certificate-unreadable', `${at} can’t be read: ${messageOf(error)}.`, at, error)
    })
    if (bytes === null) throw bad('certificate-unreadable', `There is no ${at}.`, at)
    return bytes.toString('utf8')
  }
  const cert = await read(path)
  const key = await read(place.key ?? path)
  const leaf = parsed(path, () => new X509Certificate(cert), 'no certificate in PEM')
  const secret = parsed(place.key ?? path, () => createPrivateKey(key), 'no private key in PEM without a password')
  if (!leaf.checkPrivateKey(secret))
    throw bad('certificate-mismatch', `The key in phone.key does not belong to ${path}.`, path)
  if (Date.parse(leaf.validTo) <= clock.now())
    throw bad('certificate-over', `${path} has ended on ${leaf.validTo}.`, path)
  const name = place.name ?? firstName(leaf)
  if (name === null || (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) === undefined)
    throw bad(
      'certificate-name',
      `${path} is not for ${name ?? 'one name'}. Write one that it is for as phone.name.`,
      path,
    )
  return {
    cert,
    key,
    host: place.host === 'tailscale' ? (await tailscale.self()).address : place.host,
    name,
    fingerprint: leaf.subject === leaf.issuer && leaf.verify(leaf.publicKey) ? leaf.fingerprint256 : null,
    againMs: minuteMs,
  }
}

async function fromTailscale({ home, files, tailscale, clock, log }: PhoneCertificateDeps): Promise<PhoneCertificate> {
  const { name, address } = await tailscale.self()
  const path = join(home, 'phone-tls-tailscale.json')
  const before = await readKept(path, files)
  const answer = (one: Certificate) => ({ ...one, host: address, name, fingerprint: null, againMs: dayMs / 2 })
  try {
    const made = await tailscale.certificate(name)
    if (made.cert !== before?.cert) await files.writeAtomic(path, `${JSON.stringify(made)}\n`)
    return answer(made)
  } catch (error) {
    if (!before || !isFor(before.cert, name, clock.now())) throw error
    log.warn({ error: messageOf(error) }, 'the certificate that Tailscale gave before is used')
    return answer(before)
  }
}

/** `phone-tls.json` in the home, for its owner alone; made anew for another address, or a month before its end. */
async function ofHome(host: string, { home, files, clock, random }: PhoneCertificateDeps): Promise<PhoneCertificate> {
  const path = join(home, 'phone-tls.json')
  const now = clock.now()
  const found = await readKept(path, files)
  const answer = (one: Certificate) => ({
    ...one,
    host,
    name: host,
    fingerprint: new X509Certificate(one.cert).fingerprint256,
    againMs: dayMs,
  })
  if (found && isFor(found.cert, host, now + marginMs)) return answer(found)
  const made = selfSigned(host, Buffer.from(random.token(16), 'base64url'), now - dayMs, now + validMs)
  await files.writeAtomic(path, `${JSON.stringify(made)}\n`)
  return answer(made)
}

const readKept = async (path: string, files: Pick<Files, 'read'>): Promise<Certificate | null> =>
  kept.safeParse(parseJson((await files.read(path))?.toString('utf8') ?? '')).data ?? null

function isFor(cert: string, name: string, at: number): boolean {
  try {
    const read = new X509Certificate(cert)
    return (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined && Date.parse(read.validTo) > at
  } catch {
    // whatever it is, it is no certificate
    return false
  }
}

/** The first that a link can carry: no wildcard. */
const firstName = ({ subjectAltName = '' }: X509Certificate): string | null =>
  subjectAltName
    .split(', ')
    .map((entry) => /^(?:DNS|IP Address):([^*]+)$/.exec(entry)?.[1])
    .find((name) => name !== undefined) ?? null

function parsed<T>(path: string, read: () => T, lacks: string): T {
  try {
    return read()
  } catch (error) {
    throw bad('certificate-unreadable', `${path} holds ${lacks}: ${messageOf(error)}.`, path, error)
  }
}

const bad = (code: string, message: string, path: string, cause?: unknown): OnwardError =>
  new OnwardError(code, message, { cause, details: { path }, status: 409 })
