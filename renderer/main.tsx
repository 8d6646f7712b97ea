import { createRoot } from 'react-dom/client'
import { start } from './start.ts'
import { noWords } from './i18n/index.ts'
import './styles/all.css'
import { MantineProvider, colorsTuple, createTheme, type CSSVariablesResolver } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { type App as AppValue, AppContext, useEngine, useSettings, useWantedLanguage, useWords } from './app-context.ts'
import { needYou } from './state/engine.ts'
import { Frame } from './frame/frame.tsx'
import { Gate } from './frame/gate.tsx'
import { onDemand } from './parts/on-demand.tsx'

const root = document.getElementById('root')
if (root)
  start(window).then(
    (app) => createRoot(root).render(<App app={app} />),
    (error: unknown) => {
      root.textContent = noWords
      throw error
    },
  )

const toasts = onDemand(async () => (await import('./parts/toast-view.tsx')).ToastStack, null, null)

function App({ app }: { app: AppValue }) {
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
  const asking = useEngine(needYou)

  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  useEffect(() => {
    document.title = asking > 0 ? `(${asking}) Onward` : 'Onward'
  }, [asking])
  return refused === null ? <Frame /> : <Gate token={refused} />
}

/** The theme in force: a person's choice, or what the system asks for right now. */
function useScheme(chosen: 'light' | 'dark' | 'auto'): 'light' | 'dark' {
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

/** Scales of ten steps, as Mantine has them; the values stay in tokens.css. */
const scale = (name: string) => colorsTuple(Array.from({ length: 10 }, (_, step) => `var(--${name}-${step})`))

const short = { duration: 80, transition: 'fade' } as const

const theme = createTheme({
  colors: {
    accent: scale('accent'),
    gray: scale('gray'),
    dark: scale('dark'),
  },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-mono)',
  respectReducedMotion: true,
  cursorType: 'default',
  components: {
    Menu: {
      defaultProps: {
        position: 'bottom-end',
        offset: 4,
        shadow: 'none',
        transitionProps: short,
        classNames: {
          dropdown: 'menu',
          item: 'menu-item',
          label: 'menu-head',
          divider: 'menu-line',
          itemLabel: 'menu-label',
          itemIndicator: 'check',
        },
        returnFocus: true,
        loop: true,
        alignItemsLabels: 'all',
        withInitialFocusPlaceholder: false,
        withinPortal: false,
        floatingStrategy: 'fixed',
      },
    },
  },
})

/** Mantine's own surfaces take our semantic tokens, so that both themes come from one file. */
const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--bg)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-3)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-font-size-md': 'var(--fs-body)',
    '--mantine-line-height': 'var(--lh-body)',
  }
  return { variables: {}, light: shared, dark: shared }
}
