import { describe, expect, it } from 'vitest'
import { isDashboard, outsideLink } from './own-page.ts'

const dashboard = 'http://127.0.0.1:5520'
const isOwn = (url: string) => isDashboard(url, dashboard)

describe('the dashboard’s own addresses', () => {
  it.each([
    ['http://127.0.0.1:5520/dashboard/'],
    ['http://127.0.0.1:5520/dashboard/#/session/abc'],
    ['http://127.0.0.1:5520/dashboard/index.html?x'],
  ])('%s is one', (url) => {
    expect(isOwn(url)).toBe(true)
  })

  it.each([
    [''],
    ['about:blank'],
    ['http://127.0.0.1:5520/'],
    ['http://127.0.0.1:5520/v1/models'],
    ['http://127.0.0.1:5520/dashboardx/'],
    ['http://127.0.0.1:5521/dashboard/'],
    ['http://localhost:5520/dashboard/'],
    ['https://127.0.0.1:5520/dashboard/'],
    ['http://127.0.0.1:5520@evil.example/dashboard/'],
    ['http://127.0.0.1:5520/dashboard/../v1/models'],
    ['file:///dashboard/'],
    ['data:text/html,x'],
  ])('%s is none', (url) => {
    expect(isOwn(url)).toBe(false)
  })
})

describe('links to the outside', () => {
  it.each([['https://example.com/docs'], ['http://example.com/']])('%s goes to the browser', (url) => {
    expect(outsideLink(url, isOwn)).toBe(url)
  })

  it.each([
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['onward://session/abc'],
    ['smb://host/share'],
    ['mailto:a@b.example'],
    ['vscode://file/x'],
    ['not an address'],
    [''],
    ['http://127.0.0.1:5520/dashboard/#/settings'],
  ])('%s goes nowhere', (url) => {
    expect(outsideLink(url, isOwn)).toBeNull()
  })
})
