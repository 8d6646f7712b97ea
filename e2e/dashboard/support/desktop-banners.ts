import type { Page } from 'playwright'
import type { ShellState } from '../../../shared/commands/shell-calls.ts'
import { mockMoment, type Dashboard, type OpenOptions } from './dashboard.ts'

const idle = { kind: 'idle' } as const
const notes =
  'Sessions open twice as fast, and the queue of a session that ' +
  'moved to another terminal goes with it.\nMore in CHANGELOG.md.'
const found = { version: '0.2.0', notes }
const ready = { kind: 'ready', atQuit: false, whenIdle: false, ...found } as const

/** What the desktop around the page has to say of the whole window. */
export const desktopBanners: readonly (readonly [name: string, state: ShellState])[] = [
  ['banner-take-over', { older: { engine: '0.0.9', app: '0.1.0', service: true }, update: idle }],
  ['banner-update', { older: null, update: { kind: 'available', ...found } }],
  ['banner-update-ready', { older: null, update: ready }],
  ['banner-update-waits', { older: null, update: { ...ready, whenIdle: true } }],
]

/** A page with the desktop around it, once its banner stands there. */
export async function withBanner(dashboard: Dashboard, state: ShellState, how: OpenOptions): Promise<Page> {
  const page = await dashboard.open({ place: 'session/billing-service-01jd', ...how, desktop: state })
  await page.locator('.banner').waitFor()
  return page
}

/** The settings after Onward ended by itself. */
export async function afterCrash(dashboard: Dashboard, how: OpenOptions): Promise<Page> {
  dashboard.engine.api.crashed({
    at: mockMoment - 7_200_000,
    path: '/home/ada/.onward/logs/crashes/2026-11-21T11-12-32.txt',
    report: 'Onward 0.1.0\nRangeError: Invalid array length',
  })
  const page = await dashboard.open({ ...how, place: 'settings' })
  await page
    .getByRole('region', { name: how.locale === 'zh-CN' ? 'Onward 意外退出过' : 'Onward ended unexpectedly' })
    .waitFor()
  return page
}
