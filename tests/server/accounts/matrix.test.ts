import { kinds, testMatrix } from '../../rights/matrix.ts'

/** The short form: who may do most in a branch. The others are in matrix.long.test.ts. */
testMatrix(kinds.filter(({ name }) => name.startsWith('a user of a branch who holds everything')))
