import { expect, it } from 'vitest'
import { waitsAtHub } from './fleet.ts'
import { operations } from './operations/index.ts'

it('an engine that is away gets later what may be done once, and nothing else', () => {
  const once = Object.entries(operations).flatMap(([name, operation]) => ('once' in operation ? [name] : []))
  expect(Object.keys(operations).filter(waitsAtHub)).toEqual(once)
})
