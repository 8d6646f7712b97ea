import { colorsTuple, createTheme, type CSSVariablesResolver } from '@mantine/core'

/** Scales of ten steps, as Mantine has them; the values stay in tokens.css. */
const scale = (name: string) => colorsTuple(Array.from({ length: 10 }, (_, step) => `var(--${name}-${step})`))

const short = { duration: 80, transition: 'fade' } as const

export const theme = createTheme({
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
export const cssVariables: CSSVariablesResolver = () => {
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
