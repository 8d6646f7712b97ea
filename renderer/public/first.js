// Before anything else of the page, which takes ten times as long: the theme, so that nothing is painted in another
// one; the frame of the window, where there will be one; and the words, fetched beside the program that asks for them.
// What is kept and read here is renderer/state/settings.ts's, renderer/i18n's and renderer/control/token.ts's;
// first.test.ts holds it against them.
;(() => {
  const html = document.documentElement
  const kept = (storage, key) => {
    try {
      return window[storage].getItem(key)
    } catch {
      return null // forbidden
    }
  }
  const settings = (() => {
    try {
      return JSON.parse(kept('localStorage', 'onward-settings') ?? '{}') ?? {}
    } catch {
      return {}
    }
  })()
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const theme = ['light', 'dark'].includes(settings.theme) ? settings.theme : dark
  html.setAttribute('data-mantine-color-scheme', theme)

  // A page without a key says so and nothing else, and the first steps have a page of their own.
  const fragment = location.hash.slice(1)
  const place = fragment.startsWith('/') ? fragment : (new URLSearchParams(fragment).get('place') ?? '')
  const isPaired = !/(^|&)pair=[^&]/.test(fragment) && kept('localStorage', 'onward-device')
  const hasKey = /(^|&)token=[^&]/.test(fragment) || kept('sessionStorage', 'onward-page') || isPaired
  if (hasKey && !/^\/*setup(\/|$)/.test(place)) html.setAttribute('data-frame', '')

  const spoken = navigator.languages.map((tag) => (/^zh\b/i.test(tag) ? 'zh-CN' : /^en\b/i.test(tag) ? 'en' : null))
  const language = ['en', 'zh-CN'].includes(settings.language) ? settings.language : (spoken.find(Boolean) ?? 'en')
  const files = JSON.parse(document.currentScript.dataset.words ?? '{}')[language] ?? []
  for (const href of files) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href })
    document.head.append(link)
  }
})()
