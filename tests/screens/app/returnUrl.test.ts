import { expect, test } from 'vitest'
import { loginPath, safeReturnPath } from '../../../src/app/guards.tsx'

test.each([
  '/',
  '/manage/merchants',
  '/manage/merchants?page=3&search=a%2Fb&open=12',
  '/import/volume#help',
  '/reporting?next=https://evil.example',
  '/a//b',
  '/logins',
  '/%2F%2Fevil.example',
  '/manage/merchants?returnUrl=//evil.example',
])('returnUrl %j is honoured', (path) => {
  expect(safeReturnPath(path)).toBe(path)
  expect(safeReturnPath(new URLSearchParams(loginPath(path).slice('/login?'.length)).get('returnUrl'))).toBe(
    path,
  )
})

test.each([
  null,
  '',
  ' ',
  'manage/merchants',
  './manage',
  '../',
  '?page=1',
  '#top',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r//evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/\u0000/evil.example',
  '/./\t/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/.\\evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'http://localhost@evil.example',
  'HTTPS://evil.example/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://evil.example/1',
  '%2F%2Fevil.example',
  '%68ttps://evil.example',
  '/login',
  '/login/',
  '/LOGIN?returnUrl=/',
  '/login?returnUrl=%2Flogin',
])('returnUrl %j leads home', (path) => {
  expect(safeReturnPath(path)).toBe('/')
})
