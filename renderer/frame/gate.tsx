import { useApp, useWords } from '../app-context.ts'
import type { Words } from '../i18n/index.ts'
import { CommandLine } from '../parts/copy-line.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { Empty } from '../parts/empty.tsx'
import type { Link } from '../state/engine.ts'

const pasteCode = onDemand(async () => (await import('../phone/paste-code.tsx')).PasteCode, null)
const pairingPage = onDemand(async () => (await import('../phone/pairing.tsx')).Pairing)

export type Refused = Extract<Link, { kind: 'refused' }>['token']

/** Without a token the engine takes, the page can't do anything, so it says how to get in. */
export function Gate({ token }: { token: Refused }) {
  const { w } = useWords()
  const { pairing } = useApp()
  if (token === 'pair' && pairing) return <pairingPage.Component {...pairing} />
  const { title, text } = refusal(w.gate, token)
  return (
    <main className="page">
      <Empty icon="key" title={title} text={text}>
        <NewLink token={token} />
      </Empty>
    </main>
  )
}

/** How a new link, or a new code, is printed. */
export function NewLink({ token }: { token: Refused }) {
  const { w } = useWords()
  if (isInstalled(window))
    return (
      <pasteCode.Component
        open={(fragment) => {
          window.location.hash = fragment
          window.location.reload()
        }}
      />
    )
  if (token === 'revoked') return <CommandLine text="onward phone pair" />
  return (
    <>
      <CommandLine text={w.gate.line} />
      <span className="t2">{w.gate.inClone.text}</span>
      <CommandLine text={w.gate.inClone.line} />
    </>
  )
}

/** It was opened from a home screen. */
const isInstalled = (win: Window): boolean =>
  win.matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in win.navigator && win.navigator.standalone === true)

/** Why this page is not let in, in words. */
export function refusal(t: Words['w']['gate'], token: Refused): { title: string; text: string } {
  switch (token) {
    case 'none':
      return { title: t.title, text: t.text }
    case 'pair':
    case 'wrong':
      return { title: t.refusedTitle, text: t.refusedText }
    case 'revoked':
      return { title: t.revokedTitle, text: t.revokedText }
    case 'stranger':
      return { title: t.strangerTitle, text: t.strangerText }
    case 'insecure':
      return { title: t.insecureTitle, text: t.insecureText }
  }
}
