import type { OutsideFailure, OutsideState } from '../../notifications.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import type { OutsideWords } from '../types.ts'

const figures = figuresOf('en')

export const outside: OutsideWords = {
  test: { title: 'Onward can reach you here', body: 'A test from the settings' },
  several: (count) => `${count} notices from Onward`,
  more: (count) => `and ${count} more`,
  over: (name) => `${name} asks nothing any more`,
  failure,
  state,
  went: (to, result, why) => {
    const said = why ? `: ${excerpt(why)}` : ''
    switch (result) {
      case 'shown':
        return `sent to ${to}`
      case 'suppressed':
        return `not sent to ${to}${said}`
      case 'failed':
        return `could not be sent to ${to}${said}`
    }
  },
}

function failure(why: OutsideFailure): string {
  switch (why.code) {
    case 'no-address':
      return `Its address is not known: ${why.why}`
    case 'unreachable':
      return 'It can’t be reached. Look at the address and the network'
    case 'timeout':
      return 'It did not answer within 10 seconds'
    case 'ended':
      return 'It was switched off, or Onward ended, before it was sent'
    case 'answered':
      return `${answered(why.status)}${why.said === null ? '' : ` (${excerpt(why.said)})`}`
  }
}

function answered(status: number): string {
  if (status === 400) return 'It does not take this message: look whether the kind fits the address'
  if (status === 401 || status === 403) return `It refuses, with ${status}: look at the token and the address`
  if (status === 404 || status === 410)
    return `Nobody listens at this address any more, it says ${status}: make a new one there`
  if (status === 429) return 'It says that too much was sent'
  if (status >= 300 && status < 400) return `It points to another address, with ${status}: name that one`
  return status >= 500 ? `It has an error of its own, ${status}` : `It answered ${status}`
}

function state(now: OutsideState): string {
  switch (now.kind) {
    case 'unused':
      return 'Nothing sent yet'
    case 'sent':
      return `Last sent at ${figures.minute(now.at)}`
    case 'retrying':
      return (
        `Not sent since ${figures.minute(now.since)}, tried again ` +
        `at ${figures.minute(now.next)}. ${failure(now.why)}`
      )
    case 'failed':
      return `Not sent at ${figures.minute(now.at)}. ${failure(now.why)}`
  }
}
