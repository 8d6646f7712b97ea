import { describe, expect, it } from 'vitest'
import { refuseMediaType } from './body/read-body.ts'

describe('the content-type of a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/vnd.api+json',
    'application/json; version=1',
  ])('takes %s', (type) => {
    expect(refuseMediaType(type)).toBeNull()
  })
  it.each([
    undefined,
    '',
    'text/plain',
    'text/plain;application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
  ])('refuses %s', (type) => {
    expect(refuseMediaType(type)).toMatchObject({ status: 415, code: 'unsupported-media-type' })
  })
})
