/* a (n by k) times b (k by m), or b transposed (m by k) */
static void product(int n, int k, int m, const double *a, const double *b, int turned, double *out) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            double sum = 0.0;
            for (int l = 0; l < k; ++l) sum += a[i * k + l] * (turned ? b[j * k + l] : b[l * m + j]);
            out[i * m + j] = sum;
        }
}

/* a x = b for m columns, by elimination with pivots; a and b are overwritten, b with the solution */
static void solved(int n, int m, double *a, double *b) {
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        for (int j = 0; best != k && j < n; ++j) { const double e = a[k * n + j]; a[k * n + j] = a[best * n + j]; a[best * n + j] = e; }
        for (int j = 0; best != k && j < m; ++j) { const double e = b[k * m + j]; b[k * m + j] = b[best * m + j]; b[best * m + j] = e; }
        for (int i = k + 1; i < n; ++i) {
            const double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
            for (int j = 0; j < m; ++j) b[i * m + j] -= f * b[k * m + j];
        }
    }
    for (int i = n - 1; i >= 0; --i)
        for (int j = 0; j < m; ++j) {
            double sum = b[i * m + j];
            for (int l = i + 1; l < n; ++l) sum -= a[i * n + l] * b[l * m + j];
            b[i * m + j] = sum / a[i * n + i];
        }
}

static void symmetric(double *a) {
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < i; ++j) a[i * N + j] = a[j * N + i] = (a[i * N + j] + a[j * N + i]) / 2.0;
}

/* mean onto the holonomic constraints by two Gauss-Newton steps, covariance without directions across them */
static void onto(double t, double *mean, double *covariance, const double *u) {
#if ROWS
    double found[ROWS * (N + 1)], normal[ROWS * ROWS], right[ROWS * WIDE], flat[N * N], half[N * N];
    const double *slopes_ = found + ROWS;
    for (int round = 0; round < 2; ++round) {
        kept(t, mean, u, P, found);
        product(ROWS, N, ROWS, slopes_, slopes_, 1, normal);
        for (int i = 0; i < ROWS; ++i) right[i] = found[i];
        solved(ROWS, 1, normal, right);
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < ROWS; ++i) mean[j] -= slopes_[i * N + j] * right[i];
    }
    product(ROWS, N, ROWS, slopes_, slopes_, 1, normal);
    for (int i = 0; i < ROWS * N; ++i) right[i] = slopes_[i];
    solved(ROWS, N, normal, right);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (int l = 0; l < ROWS; ++l) sum -= slopes_[l * N + i] * right[l * N + j];
            flat[i * N + j] = sum;
        }
    product(N, N, N, flat, covariance, 0, half);
    product(N, N, N, half, flat, 0, covariance);
    symmetric(covariance);
#else
    (void)t; (void)mean; (void)covariance; (void)u; (void)kept;
#endif
}

#if UNSCENTED
/* the symmetric square root of a, times the root of scale, by Jacobi's rotations */
static void root(const double *a, double scale, double *out) {
    double d[N * N], v[N * N];
    for (int i = 0; i < N * N; ++i) { d[i] = a[i]; v[i] = i % (N + 1) == 0 ? 1.0 : 0.0; }
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < N; ++p)
            for (int q = p + 1; q < N; ++q) {
                if (d[p * N + q] == 0.0) continue;
                const double theta = (d[q * N + q] - d[p * N + p]) / (2.0 * d[p * N + q]);
                const double tangent = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                const double c = 1.0 / sqrt(tangent * tangent + 1.0), s = tangent * c;
                for (int k = 0; k < N; ++k) { const double x = d[k * N + p], y = d[k * N + q]; d[k * N + p] = c * x - s * y; d[k * N + q] = s * x + c * y; }
                for (int k = 0; k < N; ++k) { const double x = d[p * N + k], y = d[q * N + k]; d[p * N + k] = c * x - s * y; d[q * N + k] = s * x + c * y; }
                for (int k = 0; k < N; ++k) { const double x = v[k * N + p], y = v[k * N + q]; v[k * N + p] = c * x - s * y; v[k * N + q] = s * x + c * y; }
            }
    double largest = 0.0;
    for (int k = 0; k < N; ++k) largest = fmax(largest, d[k * N + k]);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = 0.0;
            for (int k = 0; k < N; ++k)
                sum += d[k * N + k] > NOTHING * largest ? v[i * N + k] * sqrt(d[k * N + k] * scale) * v[j * N + k] : 0.0;
            out[i * N + j] = sum;
        }
}

/* 2 N + 1 points by rows and their weights */
static void points(const double *mean, const double *covariance, double *out, double *weights) {
    double wide[N * N];
    root(covariance, N + KAPPA, wide);
    for (int i = 0; i < POINTS; ++i) {
        weights[i] = i ? 1.0 / (2.0 * (N + KAPPA)) : KAPPA / (N + KAPPA);
        for (int j = 0; j < N; ++j)
            out[i * N + j] = mean[j] + (i == 0 ? 0.0 : i <= N ? wide[j * N + i - 1] : -wide[j * N + i - 1 - N]);
    }
}

static void moved(double t, double *y, const double *u) {
    const double h = EVERY / STEPS;
    (void)slopes;
    for (int step = 0; step < STEPS; ++step, t += h) {
        double a[N], b[N], c[N], d[N], z[N];
        rates(t, y, u, P, a);
        for (int i = 0; i < N; ++i) z[i] = y[i] + h / 2.0 * a[i];
        rates(t + h / 2.0, z, u, P, b);
        for (int i = 0; i < N; ++i) z[i] = y[i] + h / 2.0 * b[i];
        rates(t + h / 2.0, z, u, P, c);
        for (int i = 0; i < N; ++i) z[i] = y[i] + h * c[i];
        rates(t + h, z, u, P, d);
        for (int i = 0; i < N; ++i) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
}
#endif

void OBSERVER_predict(double t, double *mean, double *covariance, const double *u) {
    (void)product;
#if UNSCENTED
    double table[POINTS * N], weights[POINTS];
    points(mean, covariance, table, weights);
    for (int i = 0; i < POINTS; ++i) moved(t, table + i * N, u);
    for (int j = 0; j < N; ++j) {
        mean[j] = 0.0;
        for (int i = 0; i < POINTS; ++i) mean[j] += weights[i] * table[i * N + j];
    }
    for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k) {
            double sum = 0.0;
            for (int i = 0; i < POINTS; ++i) sum += weights[i] * (table[i * N + j] - mean[j]) * (table[i * N + k] - mean[k]);
            covariance[j * N + k] = sum;
        }
#else
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const double h = EVERY / STEPS;
    double push[N * N], half[N * N];
    double now = t;
    for (int i = 0; i < N * N; ++i) push[i] = i % (N + 1) == 0 ? 1.0 : 0.0;
    for (int step = 0; step < STEPS; ++step, now += h) {
        double k[N] = {0.0}, dk[N * N] = {0.0}, sum[N] = {0.0}, dsum[N * N] = {0.0}, at[N], slope[N * N], along[N * N];
        for (int s = 0; s < 4; ++s) {
            for (int i = 0; i < N; ++i) at[i] = mean[i] + part[s] * h * k[i];
            for (int i = 0; i < N * N; ++i) along[i] = push[i] + part[s] * h * dk[i];
            rates(now + part[s] * h, at, u, P, k);
            slopes(now + part[s] * h, at, u, P, slope);
            product(N, N, N, slope, along, 0, dk);
            for (int i = 0; i < N; ++i) sum[i] += weight[s] * k[i];
            for (int i = 0; i < N * N; ++i) dsum[i] += weight[s] * dk[i];
        }
        for (int i = 0; i < N; ++i) mean[i] += h / 6.0 * sum[i];
        for (int i = 0; i < N * N; ++i) push[i] += h / 6.0 * dsum[i];
    }
    product(N, N, N, push, covariance, 0, half);
    product(N, N, N, half, push, 1, covariance);
#endif
    for (int i = 0; i < N; ++i) covariance[i * N + i] += PROCESS[i];
    symmetric(covariance);
    onto(t + EVERY, mean, covariance, u);
}

void OBSERVER_correct(double t, double *mean, double *covariance, const double *z, const double *u, double *residual) {
    double cross[N * M], spread[M * M], gain[M * N], expected[M], copy[M * M];
#if UNSCENTED
    double table[POINTS * N], weights[POINTS], values[POINTS * M], found[M * (N + 1)];
    points(mean, covariance, table, weights);
    for (int k = 0; k < M; ++k) expected[k] = 0.0;
    for (int i = 0; i < POINTS; ++i) {
        seen(t, table + i * N, u, P, found);
        for (int k = 0; k < M; ++k) { values[i * M + k] = found[k]; expected[k] += weights[i] * found[k]; }
    }
    for (int j = 0; j < N; ++j)
        for (int k = 0; k < M; ++k) {
            double sum = 0.0;
            for (int i = 0; i < POINTS; ++i) sum += weights[i] * (table[i * N + j] - mean[j]) * (values[i * M + k] - expected[k]);
            cross[j * M + k] = sum;
        }
    for (int j = 0; j < M; ++j)
        for (int k = 0; k < M; ++k) {
            double sum = 0.0;
            for (int i = 0; i < POINTS; ++i) sum += weights[i] * (values[i * M + j] - expected[j]) * (values[i * M + k] - expected[k]);
            spread[j * M + k] = sum;
        }
#else
    double found[M * (N + 1)], left[N * N], half[N * N];
    const double *lean = found + M;
    seen(t, mean, u, P, found);
    for (int k = 0; k < M; ++k) expected[k] = found[k];
    product(N, N, M, covariance, lean, 1, cross);
    product(M, N, M, lean, cross, 0, spread);
#endif
    for (int k = 0; k < M; ++k) spread[k * M + k] += NOISE[k];
    for (int i = 0; i < M * M; ++i) copy[i] = spread[i];
    for (int j = 0; j < N; ++j)
        for (int k = 0; k < M; ++k) gain[k * N + j] = cross[j * M + k];
    solved(M, N, copy, gain); /* the gain, transposed */
    for (int k = 0; k < M; ++k) residual[k] = z[k] - expected[k];
    for (int j = 0; j < N; ++j)
        for (int k = 0; k < M; ++k) mean[j] += gain[k * N + j] * residual[k];
#if UNSCENTED
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            for (int k = 0; k < M; ++k)
                for (int l = 0; l < M; ++l) covariance[i * N + j] -= gain[k * N + i] * spread[k * M + l] * gain[l * N + j];
#else
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < M; ++k) sum -= gain[k * N + i] * lean[k * N + j];
            left[i * N + j] = sum;
        }
    product(N, N, N, left, covariance, 0, half); /* Joseph's form stays positive */
    product(N, N, N, half, left, 1, covariance);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            for (int k = 0; k < M; ++k) covariance[i * N + j] += gain[k * N + i] * NOISE[k] * gain[k * N + j];
#endif
    symmetric(covariance);
    onto(t, mean, covariance, u);
}
