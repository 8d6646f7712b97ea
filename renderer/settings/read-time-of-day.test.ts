import { expect, it } from 'vitest'
import { readTimeOfDay } from './read-time-of-day.ts'

it.each([
  ['22:30', '22:30'],
  [' 7 ', '07:00'],
  ['7:05', '07:05'],
  ['0730', '07:30'],
  ['22：30', '22:30'],
  ['7.30', '07:30'],
  ['0:00', '00:00'],
  ['24:00', null],
  ['12:60', null],
  ['7:5', null],
  ['noon', null],
  ['', null],
])('“%s” is read as %s', (text, time) => {
  expect(readTimeOfDay(text)).toBe(time)
})
