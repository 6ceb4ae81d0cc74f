import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileNamePattern } from '../../../schemas/constants.ts'
import { fileNameFault, suggestFileName } from '../../../schemas/imports/fileName.ts'

describe('the file name', () => {
  test.each([
    ['volume.csv', null, ''],
    ['2026-01_daily volume.xlsx', null, ''],
    ['old.xls', null, ''],
    ['a.xls.', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
    [
      '(a.xls',
      'Invalid file name format',
      '“(” cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    ['a.xlsy', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
    ['', 'File name is required', ''],
    [
      'report (1).xlsx',
      'Invalid file name format',
      '“(” and “)” cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    [
      'a.b.csv',
      'Invalid file name format',
      '“.” cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    [
      'caf\u00e9\u00a0.csv',
      'Invalid file name format',
      '“é” and U+00A0 cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    [
      '\u{1F4C4}.csv',
      'Invalid file name format',
      '“\u{1F4C4}” cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    [
      '!@#$%.csv',
      'Invalid file name format',
      '“!”, “@”, “#”, “$” and “%” cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    [
      '!@#$%^.csv',
      'Invalid file name format',
      '“!”, “@”, “#”, “$”, “%” and others cannot be used: only letters, digits, spaces, hyphens and underscores.',
    ],
    ['VOLUME.CSV', 'Invalid file name format', 'The ending must be written in small letters: .csv'],
    ['.csv', 'Invalid file name format', 'A name before .csv is missing.'],
    ['setup.exe', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
    ['noending', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
    ['trick.csv.pdf', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
  ])('“%s”: %s %s', (name, message, detail) =>
    expect(fileNameFault(name)).toEqual(message === null ? null : { message, detail }),
  )

  test.each([
    ['report (1).xlsx', 'report.xlsx'],
    ['report(12).xlsx', 'report.xlsx'],
    ['report (1) (2).csv', 'report.csv'],
    ['report (a).csv', 'report a.csv'],
    ['report (1) final.csv', 'report 1 final.csv'],
    ['Iris_Oct2026 (1).csv', 'Iris_Oct2026.csv'],
    ['volume 2026.01.05.csv', 'volume 2026-01-05.csv'],
    ['Caf\u00e9  N\u00f6rd.CSV', 'Cafe Nord.csv'],
    ['.csv', 'file.csv'],
    ['\u4f60\u597d.xls', 'file.xls'],
    ['setup.exe', null],
  ])('“%s” is offered as “%s”', (name, cleaned) => expect(suggestFileName(name)).toBe(cleaned))

  test('whatever the name, the offered one may be sent, and a fault is shown exactly when it may not', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('.csv', '.xlsx', '.xls', '.CSV', '.pdf', ''),
        (base, end) => {
          const name = `${base}${end}`
          const cleaned = suggestFileName(name)
          if (cleaned !== null) expect(cleaned).toMatch(fileNamePattern)
          expect(fileNameFault(name) === null).toBe(fileNamePattern.test(name))
        },
      ),
    ))
})
