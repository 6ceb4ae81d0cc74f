import { kinds, testMatrix } from '../../rights/matrix.ts'

testMatrix(kinds)
