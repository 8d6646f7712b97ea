import { MantineProvider } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { AppContext, useEngine, useSettings, useWantedLanguage, useWords, type App as AppValue } from './app-context.ts'
import { Frame } from './frame/frame.tsx'
import { Gate } from './frame/gate.tsx'
import { onDemand } from './parts/on-demand.tsx'
import { cssVariables, theme } from './theme.ts'

const toasts = onDemand(async () => (await import('./parts/toast-view.tsx')).ToastStack, null, null)

export function App({ app }: { app: AppValue }) {
  return (
    <AppContext value={app}>
      <Themed />
    </AppContext>
  )
}

function Themed() {
  const chosen = useSettings((s) => s.theme)
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={useScheme(chosen)}>
      <Titled />
      <toasts.Component />
    </MantineProvider>
  )
}

function Titled() {
  useWantedLanguage()
  const { language } = useWords()
  const refused = useEngine((s) => (s.link.kind === 'refused' && s.status === null ? s.link.token : null))
  const needYou = useEngine((s) => s.status?.counts.needsYou ?? 0)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  useEffect(() => {
    document.title = needYou > 0 ? `(${needYou}) Onward` : 'Onward'
  }, [needYou])
  return refused === null ? <Frame /> : <Gate token={refused} />
}

/** The theme in force: a person's choice, or what the system asks for right now. */
export function useScheme(chosen: 'light' | 'dark' | 'auto'): 'light' | 'dark' {
  const dark = useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia('(prefers-color-scheme: dark)')
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia('(prefers-color-scheme: dark)').matches,
  )
  return chosen === 'auto' ? (dark ? 'dark' : 'light') : chosen
}
