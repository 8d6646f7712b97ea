import { describe, expect, it } from 'vitest'
import { limitYoungGeneration, makeAllObjectsYoung } from './young-generation.ts'

const MB = 1024 * 1024

/** A V8 whose young generation has these sizes after each collection. */
function collecting(v8: string) {
  const said: string[] = []
  let listeners: (() => void)[] = []
  let size = 0
  const limit = limitYoungGeneration({
    v8,
    onCollected(listener) {
      listeners.push(listener)
      return { dispose: () => (listeners = listeners.filter((one) => one !== listener)) }
    },
    bytes: () => size,
    setFlag: (flag) => said.push(flag),
  })
  return {
    said,
    limit,
    watched: () => listeners.length,
    collect(...sizes: number[]) {
      for (const one of sizes) {
        size = one * MB
        for (const listener of listeners) listener()
      }
    },
  }
}

describe('the young generation', () => {
  it('is where every object begins', () => {
    const said: string[] = []
    makeAllObjectsYoung((flag) => said.push(flag))
    expect(said).toEqual(['--no-allocation-site-pretenuring'])
  })

  it('grows no more while it is as large as it was in Node 22, and may grow again once V8 made it smaller', () => {
    const { said, collect } = collecting('13.6.233.17-node.37')
    collect(2, 4, 8, 16)
    expect(said).toEqual([])
    collect(32, 32, 32)
    expect(said.splice(0)).toEqual(['--semi-space-growth-factor=1'])
    collect(2, 4)
    expect(said.splice(0)).toEqual(['--semi-space-growth-factor=2'])
    collect(32)
    expect(said).toEqual(['--semi-space-growth-factor=1'])
  })

  it('is not doubled where that leads further away from that size than it is', () => {
    const { said, collect } = collecting('13.6.233.17-node.37')
    collect(22)
    expect(said.splice(0)).toEqual([])
    collect(23)
    expect(said).toEqual(['--semi-space-growth-factor=1'])
  })

  it.each(['11.3.244.8-node.33', '12.4.254.21-node.35'])('is left alone by V8 %s, which stops there', (v8) => {
    const { said, collect, watched } = collecting(v8)
    collect(2, 32, 48)
    expect([said, watched()]).toEqual([[], 0])
  })

  it('is not watched any more once the host is gone', () => {
    const { limit, watched } = collecting('14.0')
    limit.dispose()
    expect(watched()).toBe(0)
  })
})
