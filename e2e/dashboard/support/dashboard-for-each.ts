import { afterEach, beforeEach, expect } from 'vitest'
import { startDashboard, type Dashboard } from './dashboard.ts'

/** A dashboard of its own for every test around; what its pages complained of fails the test. */
export interface DashboardForEach extends Pick<Dashboard, 'open' | 'engine'> {
  /** what the engine was asked for under this name, in order */
  calls(name: string): readonly unknown[]
}

export function dashboardForEach(): DashboardForEach {
  let current: Dashboard | null = null
  const running = (): Dashboard => {
    if (!current) throw new Error('The dashboard runs only inside a test.')
    return current
  }
  beforeEach(async () => {
    current = await startDashboard()
  })
  afterEach(async () => {
    const complaints = running().complaints()
    await running().close()
    current = null
    expect(complaints).toEqual([])
  })
  return {
    open: (how) => running().open(how),
    get engine() {
      return running().engine
    },
    calls: (name) =>
      running()
        .engine.api.calls.filter((c) => c.name === name)
        .map((c) => c.input),
  }
}
