import { describe, expect, it } from 'vitest'
import { shortId, shortIds } from './short-id.ts'

describe('the beginning of an id that lists show', () => {
  it.each<[string, string, string]>([
    ['of Claude Code', '3b241101-e2bb-4255-8caf-4136c566a962', '3b241101'],
    ['of Codex, which begins with the time', '01a206f9-4dc6-7220-9ff4-9ba561afd5d8', '01a206f9-4dc6'],
    ['of opencode, which does so behind its kind', 'ses_5df906b3affeJwZ1XlcLDzTq1R', 'ses_5df906b3affe'],
    ["of a terminal's conversation, whole", 'pty:aebee5ea#1', 'pty:aebee5ea#1'],
    ['that is short', 's1', 's1'],
  ])('%s', (_, id, short) => {
    expect(shortId(id)).toBe(short)
  })

  it('tells two conversations of Codex apart that began within a minute', () => {
    expect(shortId('01a206f9-4dc6-7220-9ff4-9ba561afd5d8')).not.toBe(shortId('01a206f9-514a-70d3-b8b1-ac2808c2824c'))
  })

  it('is longer where several could be meant that begin alike', () => {
    expect(shortIds(['01a206f9-4dc6-7220-9ff4-9ba561afd5d8', '01a206f9-4dc6-7220-9aaa-9ba561afd5d8'])).toEqual([
      '01a206f9-4dc6-7220-9f',
      '01a206f9-4dc6-7220-9a',
    ])
    expect(shortIds(['pty:aebee5ea#1', 'pty:aebee5ea#2'])).toEqual(['pty:aebee5ea#1', 'pty:aebee5ea#2'])
    expect(shortIds(['3b241101-e2bb-4255-8caf-4136c566a962', 's'])).toEqual(['3b241101', 's'])
  })
})
