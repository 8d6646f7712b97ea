import { describe, expect, it } from 'vitest'
import { givenAttributes } from './given-attributes.ts'

describe('attributes that are sent', () => {
  it('are those with a value, no text longer than told', () => {
    const attributes = { text: '12345678', none: null, left: undefined, zero: 0, no: false, list: ['123456', ''] }
    expect(givenAttributes(attributes, 5)).toEqual({ text: '12345', zero: 0, no: false, list: ['12345', ''] })
  })
})
