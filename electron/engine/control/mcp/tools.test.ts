import { describe, expect, it } from 'vitest'
import { operations } from '../../../../shared/operations/index.ts'
import { programMay } from '../../../../shared/operations/rights.ts'
import { inputOf, schemaOf, tools } from './tools.ts'

const all = Object.entries(tools)

describe('the tools of onward mcp', () => {
  it.each(all)('%s is an operation that programs may ask for, or one that a person agrees to', (_, tool) => {
    expect(programMay(tool.operation) || tool.asks === 'dialog').toBe(true)
  })
  it.each(all)('%s says truly whether it only reads', (_, { operation, annotations }) => {
    expect(annotations.readOnlyHint).toBe(operations[operation].kind === 'query')
  })
  it.each(all)('%s takes an object, as clients want it', (_, tool) => {
    const schema = schemaOf(tool)
    expect(schema).toMatchObject({ type: 'object' })
    expect(schema).not.toHaveProperty('$schema')
  })
  it('has what an operation takes by the same rules', () => {
    expect(schemaOf(tools['say'] as never)).toMatchObject({
      properties: { session: { minLength: 1, maxLength: 512 }, text: { maxLength: 262_144 } },
      required: ['session', 'text'],
    })
    expect(inputOf(tools['report'] as never).parse({})).toEqual({ since: null })
    expect(inputOf(tools['cancel_alarm'] as never).safeParse({ alarm: '' }).success).toBe(false)
    expect(inputOf(tools['status'] as never).parse({})).toEqual({})
  })
})
