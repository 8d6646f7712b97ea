import { MantineProvider } from '@mantine/core'
import { useEffect } from 'react'
import { AppContext, useEngine, useSettings, useWords, type App as AppValue } from './app-context.ts'
import { Frame } from './frame/frame.tsx'
import { Gate } from './frame/gate.tsx'
import { ToastStack } from './parts/toast-view.tsx'
import { cssVariables, theme } from './theme.ts'
import { useScheme } from './use-scheme.ts'

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
      <ToastStack />
    </MantineProvider>
  )
}

function Titled() {
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
